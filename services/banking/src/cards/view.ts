import type { Account } from '../accounts/store.ts'
import { labelOf, shownAmount, toAccount } from '../accounts/view.ts'
import type { Balance } from '../ledger/store.ts'
import type { Record as Kept } from '../records/store.ts'
import { momentOf } from '../shapes/moments.ts'
import type { ActionBody, CardBody } from './store.ts'

const stamps = ({ id, createdAt, updatedAt }: Kept<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

export function toCard(kept: Kept<CardBody>, current: Account, ordered: Account, balance: Balance) {
  const { user, status, body } = kept
  const owner = Number(user)
  return {
    ...stamps(kept),
    public_uuid: body.uuid,
    user_id: owner,
    user_owner_id: owner,
    user_holder_id: owner,
    type: body.type,
    sub_type: body.type.endsWith('VIRTUAL') ? 'VIRTUAL' : 'NONE',
    product_type: body.productType,
    product_sub_type: null,
    first_line: body.preferredName ?? body.nameOnCard,
    second_line: body.secondLine,
    name_on_card: body.nameOnCard,
    preferred_name_on_card: body.preferredName,
    status,
    sub_status: body.subStatus,
    order_status: body.orderStatus,
    expiry_date: body.expiryDate,
    primary_account_numbers: body.numbers.map((number, nth) => ({
      id: nth + 1,
      uuid: body.uuid,
      description: '',
      status: 'ACTIVE',
      type: 'PRIMARY',
      monetary_account_id: null,
      four_digit: body.fourDigits,
      ...number,
    })),
    payment_account_reference: body.uuid.replaceAll('-', '').slice(0, 29).toUpperCase(),
    card_limit: shownAmount(BigInt(body.limit), current.currency),
    card_limit_atm: shownAmount(BigInt(body.limitAtm), current.currency),
    country_permission: body.countries.map((one, nth) => ({ id: nth + 1, expiry_time: null, ...one })),
    pin_code_assignment: [
      { type: 'PRIMARY' as const, routing_type: 'MANUAL', status: 'ACTIVE', monetary_account_id: Number(body.account) },
    ],
    label_monetary_account_ordered: labelOf(ordered),
    label_monetary_account_current: labelOf(current),
    monetary_account: {
      ...toAccount(current, balance),
      budget: [],
      share: null,
      relation_user: null,
      co_owner_user: null,
      open_banking_account: null,
    },
    monetary_account_id_fallback: body.fallback === null ? null : Number(body.fallback),
    cancellation_reason: body.reason,
  }
}

export function toAction(kept: Kept<ActionBody>, account: Account) {
  const { status, body } = kept
  const amount = shownAmount(BigInt(body.amount), body.currency)
  return {
    ...stamps(kept),
    card_id: Number(body.card),
    monetary_account_id: Number(account.id),
    amount_local: amount,
    amount_billing: amount,
    description: body.description,
    city: body.city,
    country: body.country,
    authorisation_type: body.isAtm ? 'NORMAL_AUTHORISATION_ATM' : 'NORMAL_AUTHORISATION',
    authorisation_status: status === 'REFUSED' ? 'BLOCKED' : status,
    clearing_status: status === 'CLEARED' ? 'CLEARED' : status === 'AUTHORISED' ? 'PENDING' : null,
    decision: status === 'REFUSED' ? 'DECLINED' : 'ALLOWED',
    decision_description: body.decision,
    alias: labelOf(account),
    payment_status: status === 'CLEARED' ? 'SETTLED' : status === 'AUTHORISED' ? 'PENDING' : 'NONE',
  }
}
