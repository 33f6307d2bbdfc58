import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, pageQuery, placeHeaders, post, put } from '../dialect/contract.ts'
import {
  AddressShown,
  Amount,
  AmountShown,
  AttachmentId,
  Geolocation,
  LabelMonetaryAccount,
  LabelUser,
  Moment,
  Pointer,
  stamps,
} from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'
const text = Type.String()
const orNull = Type.Nullable

const NewRequest = named('NewRequestInquiry', {
  amount_inquired: Amount,
  counterparty_alias: Pointer,
  description: Type.String({ maxLength: 140 }),
  allow_vendorme: Type.Optional(Type.Boolean()),
  merchant_reference: Type.Optional(Type.String({ maxLength: 200 })),
  redirect_url: Type.Optional(Type.String({ maxLength: 1_000 })),
  minimum_age: Type.Optional(Type.Integer({ minimum: 0, maximum: 120 })),
  require_address: Type.Optional(oneOf('BILLING', 'SHIPPING', 'BILLING_SHIPPING', 'NONE', 'OPTIONAL')),
  attachment: Type.Optional(Type.Array(AttachmentId, { maxItems: 20 })),
})

const shared = {
  ...stamps,
  monetary_account_id: Type.Integer(),
  amount_inquired: AmountShown,
  amount_responded: orNull(AmountShown),
  counterparty_alias: LabelMonetaryAccount,
  description: text,
  status: text,
  time_responded: orNull(Moment),
  time_expiry: orNull(Moment),
  merchant_reference: orNull(text),
  redirect_url: orNull(text),
  minimum_age: orNull(Type.Integer()),
  require_address: orNull(text),
  attachment: Type.Array(AttachmentId),
}

export const RequestInquiry = named('RequestInquiry', {
  ...shared,
  batch_id: orNull(Type.Integer()),
  scheduled_id: orNull(Type.Integer()),
  user_alias_created: LabelUser,
  user_alias_revoked: orNull(LabelUser),
  allow_vendorme: Type.Boolean(),
  vendorme_share_url: orNull(text),
  address_billing: orNull(AddressShown),
  address_shipping: orNull(AddressShown),
  geolocation: orNull(Geolocation),
  reference_split_the_bill: orNull(Type.Record(Type.Unknown())),
})

export const RequestResponse = named('RequestResponse', {
  ...shared,
  alias: LabelMonetaryAccount,
  type: text,
  sub_type: text,
  event_id: orNull(Type.Integer()),
})

const RequestInquiryBatch = named('RequestInquiryBatch', {
  ...stamps,
  request_inquiries: Type.Array(RequestInquiry),
  total_amount_inquired: AmountShown,
  status: text,
})
const revoke = named('RequestInquiryChanges', { status: oneOf('REVOKED') })

export const requests = extensions({
  createRequestInquiry: post(`${at}/request-inquiry`, {
    summary: 'Request money. In the sandbox, the sugar daddy grants up to 500 euros immediately.',
    headers: placeHeaders,
    body: NewRequest,
    replies: { 200: IdAnswer },
  }),
  listRequestInquiries: get(`${at}/request-inquiry`, {
    summary: 'List the requests for money from an account.',
    query: pageQuery,
    replies: { 200: many('RequestInquiry', RequestInquiry) },
  }),
  getRequestInquiry: get(`${at}/request-inquiry/{itemId}`, {
    summary: 'Read a request for money.',
    replies: { 200: one('RequestInquiry', RequestInquiry) },
  }),
  updateRequestInquiry: put(`${at}/request-inquiry/{itemId}`, {
    summary: 'Withdraw a request for money.',
    body: revoke,
    replies: { 200: one('RequestInquiry', RequestInquiry) },
  }),

  createRequestInquiryBatch: post(`${at}/request-inquiry-batch`, {
    summary: 'Request money from several users.',
    body: named('NewRequestInquiryBatch', {
      request_inquiries: Type.Array(NewRequest, { minItems: 1, maxItems: 100 }),
      total_amount_inquired: Amount,
    }),
    replies: { 200: IdAnswer },
  }),
  listRequestInquiryBatches: get(`${at}/request-inquiry-batch`, {
    summary: 'List batches of requests for money.',
    query: pageQuery,
    replies: { 200: many('RequestInquiryBatch', RequestInquiryBatch) },
  }),
  getRequestInquiryBatch: get(`${at}/request-inquiry-batch/{itemId}`, {
    summary: 'Read a batch of requests for money.',
    replies: { 200: one('RequestInquiryBatch', RequestInquiryBatch) },
  }),
  updateRequestInquiryBatch: put(`${at}/request-inquiry-batch/{itemId}`, {
    summary: 'Withdraw all pending requests of a batch.',
    body: revoke,
    replies: { 200: IdAnswer },
  }),

  listRequestResponses: get(`${at}/request-response`, {
    summary: 'List the requests for money to an account.',
    query: pageQuery,
    replies: { 200: many('RequestResponse', RequestResponse) },
  }),
  getRequestResponse: get(`${at}/request-response/{itemId}`, {
    summary: 'Read a request for money to an account.',
    replies: { 200: one('RequestResponse', RequestResponse) },
  }),
  updateRequestResponse: put(`${at}/request-response/{itemId}`, {
    summary: 'Pay or reject a request for money.',
    body: named('RequestResponseChanges', {
      status: oneOf('ACCEPTED', 'REJECTED'),
      amount_responded: Type.Optional(Amount),
    }),
    replies: { 200: one('RequestResponse', RequestResponse) },
  }),
})
