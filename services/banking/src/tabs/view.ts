import type { Account } from '../accounts/store.ts'
import { labelOf, toAmount } from '../accounts/view.ts'
import type { Stored } from '../documents/store.ts'
import type { Payment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import type { ProfileBody, TabBody } from './store.ts'

const stamps = ({ id, createdAt, updatedAt }: Stored<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

/** Expiry is computed, not stored. */
export const statusOfTab = ({ status, body }: Stored<TabBody>, now: Date): string =>
  status === 'WAITING_FOR_PAYMENT' && (readMoment(body.expiresAt) ?? now) <= now ? 'EXPIRED' : status

export function toTab(
  tab: Stored<TabBody>,
  { account, payments, now, url }: { account: Account; payments: readonly Payment[]; now: Date; url: string },
) {
  const { body } = tab
  const status = statusOfTab(tab, now)
  const entry = {
    uuid: body.uuid,
    amount_inquired: toAmount(BigInt(body.amount), body.currency),
    description: body.description,
    redirect_url: body.redirectUrl,
    alias: labelOf(account),
    status,
    merchant_available: [],
    invite_profile_name: null,
  }
  return {
    ...stamps(tab),
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
        vendor_me_tab_id: Number(tab.id),
        payment: toPayment(payment),
      }
    }),
    event_id: body.event,
  }
}

export function toProfile(profile: Stored<ProfileBody>, account: Account, url: string) {
  const { body, status, user } = profile
  return {
    ...stamps(profile),
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
