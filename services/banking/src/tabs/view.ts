import type { Account } from '../accounts/store.ts'
import { labelOf, shownAmount } from '../accounts/view.ts'
import type { Payment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import type { Record as Kept } from '../records/store.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import type { ProfileBody, TabBody } from './store.ts'

const stamps = ({ id, createdAt, updatedAt }: Kept<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

/** Nobody has to write down that the time is over. */
export const statusOfTab = ({ status, body }: Kept<TabBody>, now: Date): string =>
  status === 'WAITING_FOR_PAYMENT' && (readMoment(body.expiresAt) ?? now) <= now ? 'EXPIRED' : status

export function toTab(
  kept: Kept<TabBody>,
  { account, payments, now, url }: { account: Account; payments: readonly Payment[]; now: Date; url: string },
) {
  const { body } = kept
  const status = statusOfTab(kept, now)
  const entry = {
    uuid: body.uuid,
    amount_inquired: shownAmount(BigInt(body.amount), body.currency),
    description: body.description,
    redirect_url: body.redirectUrl,
    alias: labelOf(account),
    status,
    merchant_available: [],
    invite_profile_name: null,
  }
  return {
    ...stamps(kept),
    time_expiry: body.expiresAt,
    monetary_account_id: Number(account.id),
    status,
    type: 'VENDORME_TAB',
    alias_monetary_account: labelOf(account),
    vendorme_tab_share_url: url,
    vendorme_tab_entry: entry,
    vendorme_tab_entries: [entry],
    result_inquiries: payments.map((payment, nth) => {
      const id = body.responses?.[nth]
      return {
        id: id === undefined ? null : Number(id),
        vendor_me_tab_id: Number(kept.id),
        payment: toPayment(payment),
      }
    }),
    event_id: body.event,
  }
}

export function toProfile(kept: Kept<ProfileBody>, account: Account, url: string) {
  const { body, status, user } = kept
  return {
    ...stamps(kept),
    monetary_account_id: Number(account.id),
    owner_user_id: Number(user),
    color: body.color,
    alias: labelOf(account),
    currency: body.currency,
    description: body.description,
    attachment: null,
    pointer: { type: 'URL', value: url, name: account.userName, service: null },
    redirect_url: body.redirectUrl,
    status,
  }
}
