import { named, Type } from '@icosa/contract'
import {
  AddressShown,
  Amount,
  AmountShown,
  AttachmentId,
  Geolocation,
  LabelMonetaryAccount,
  Moment,
  Pointer,
  stamps,
} from '../../shapes/contract.ts'

const orNull = Type.Nullable
const text = Type.String()

/** A payment as its payer or payee sees it. */
export const Payment = named('Payment', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  amount: AmountShown,
  alias: LabelMonetaryAccount,
  counterparty_alias: LabelMonetaryAccount,
  description: text,
  type: text,
  sub_type: text,
  merchant_reference: orNull(text),
  attachment: Type.Array(AttachmentId),
  allow_vendorto: Type.Boolean(),
  payment_arrival_expected: orNull(named('PaymentArrival', { status: text, time: Moment })),
  vendorto_status: orNull(text),
  vendorto_sub_status: orNull(text),
  vendorto_share_url: orNull(text),
  vendorto_expiry: orNull(text),
  vendorto_time_responded: orNull(text),
  batch_id: orNull(Type.Integer()),
  scheduled_id: orNull(Type.Integer()),
  address_shipping: orNull(AddressShown),
  address_billing: orNull(AddressShown),
  geolocation: orNull(Geolocation),
  request_reference_split_the_bill: Type.Array(Type.Record(Type.Unknown())),
  balance_after_mutation: AmountShown,
  payment_auto_allocate_instance: orNull(Type.Record(Type.Unknown())),
  payment_suspended_outgoing: orNull(
    named('PaymentSuspended', { status: text, monetary_account_id: Type.Integer(), time_execution: Moment }),
  ),
  payment_fee: orNull(named('PaymentFee', { value: text, currency: text, invoice_id: orNull(Type.Integer()) })),
})

export const PaymentOrder = named('PaymentOrder', {
  amount: Amount,
  counterparty_alias: Pointer,
  description: Type.String({ maxLength: 140 }),
  merchant_reference: Type.Optional(Type.String({ maxLength: 200 })),
  allow_vendorto: Type.Optional(Type.Boolean()),
  attachment: Type.Optional(Type.Array(AttachmentId, { maxItems: 20 })),
})
