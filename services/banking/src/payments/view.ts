import { toAmount } from '../accounts/view.ts'
import { momentOf } from '../shapes/moments.ts'
import type { Payment } from './store.ts'

const noDetails = {
  attachment: [] as { id: number }[],
  allow_vendorto: false,
  vendorto_status: null,
  vendorto_sub_status: null,
  vendorto_share_url: null,
  vendorto_expiry: null,
  vendorto_time_responded: null,
  batch_id: null as number | null,
  scheduled_id: null as number | null,
  address_shipping: null,
  address_billing: null,
  geolocation: null,
  request_reference_split_the_bill: [] as Record<string, unknown>[],
  payment_auto_allocate_instance: null,
  payment_suspended_outgoing: null,
  payment_fee: null,
}

export function toPayment(payment: Payment) {
  const { id, account, amount, currency, createdAt, alias, counterparty, details, balanceAfter } = payment
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(createdAt),
    monetary_account_id: Number(account),
    amount: toAmount(BigInt(amount), currency),
    alias,
    counterparty_alias: counterparty,
    description: payment.description,
    type: payment.type,
    sub_type: payment.subType,
    merchant_reference: null as string | null,
    payment_arrival_expected: { status: 'ARRIVED', time: momentOf(createdAt) },
    balance_after_mutation: toAmount(BigInt(balanceAfter), currency),
    ...noDetails,
    ...details,
  }
}
