import type { Account } from '../accounts/store.ts'
import { labelOf, toAccount, toAmount } from '../accounts/view.ts'
import type { Stored } from '../documents/store.ts'
import type { Balance } from '../ledger/store.ts'
import { momentOf } from '../shapes/moments.ts'
import type { ActionBody, CardBody } from './store.ts'

const stamps = ({ id, createdAt, updatedAt }: Stored<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

export function toCard(card: Stored<CardBody>, current: Account, ordered: Account, balance: Balance) {
  const { user, status, body } = card
  const owner = Number(user)
  return {
    ...stamps(card),
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
    card_limit: toAmount(BigInt(body.limit), current.currency),
    card_limit_atm: toAmount(BigInt(body.limitAtm), current.currency),
    country_permission: body.countries.map((permission, nth) => ({ id: nth + 1, expiry_time: null, ...permission })),
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

export function toAction(action: Stored<ActionBody>, account: Account) {
  const { status, body } = action
  const amount = toAmount(BigInt(body.amount), body.currency)
  return {
    ...stamps(action),
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
