import type { Account } from '../accounts/store.ts'
import { labelOf, labelOfOther, toAmount } from '../accounts/view.ts'
import type { Stored } from '../documents/store.ts'
import { stamps } from '../schedules/view.ts'
import { momentOf } from '../shapes/moments.ts'
import { issuers, type TopUpBody } from './store.ts'

export const nameOf = (bic: string) => issuers[bic]?.name ?? bic

/** The user's account at the other bank, of which only the bank is known. */
export const issuerLabel = (bic: string) => ({ ...labelOfOther({ value: nameOf(bic) }, null), swift_bic: bic })

export function toTopUp(topUp: Stored<TopUpBody>, account: Account) {
  const { body, status } = topUp
  const amount = toAmount(BigInt(body.amount), body.currency)
  const isPaid = status === 'SUCCESS'
  return {
    ...stamps(topUp),
    monetary_account_id: Number(account.id),
    alias: labelOf(account),
    counterparty_alias: isPaid ? issuerLabel(body.issuer) : null,
    amount_requested: amount,
    amount_guaranteed: isPaid ? amount : null,
    issuer: body.issuer,
    issuer_name: nameOf(body.issuer),
    issuer_authentication_url: null,
    purchase_identifier: body.uuid.replaceAll('-', '').slice(0, 16),
    transaction_identifier: topUp.id.padStart(16, '0'),
    expiration: body.expiresAt,
    status,
    status_timestamp: momentOf(topUp.updatedAt),
  }
}
