import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, pageQuery, post, put, read } from '../dialect/contract.ts'
import { PaymentOrder } from '../payments/shapes/contract.ts'
import { NewSchedule, Recurrence } from '../schedules/contract.ts'
import { LabelUser, Moment, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}/draft-payment'
const text = Type.String()
const entries = Type.Array(PaymentOrder, { minItems: 1, maxItems: 100 })

const Draft = named('DraftPayment', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  status: text,
  type: text,
  number_of_required_accepts: Type.Integer(),
  entries: Type.Array(PaymentOrder),
  responses: Type.Array(named('DraftPaymentResponse', { status: text, user_alias_created: LabelUser })),
  user_alias_created: LabelUser,
  /** Null if paid on acceptance. */
  schedule: Type.Nullable(Recurrence),
  /** The payments made, or scheduled, on acceptance. */
  payments: Type.Array(Type.Integer()),
  scheduled_payments: Type.Array(Type.Integer()),
})

export const drafts = extensions({
  createDraftPayment: post(at, {
    summary: 'Create draft payments, which must be accepted.',
    body: named('NewDraftPayment', {
      entries,
      number_of_required_accepts: Type.Integer({ minimum: 1, maximum: 1 }),
      schedule: Type.Optional(Type.Nullable(NewSchedule)),
    }),
    replies: { 200: IdAnswer },
  }),
  listDraftPayments: get(at, {
    summary: 'List draft payments.',
    query: pageQuery,
    replies: { 200: many('DraftPayment', Draft) },
  }),
  getDraftPayment: read(`${at}/{itemId}`, 'Read draft payments.', one('DraftPayment', Draft)),
  updateDraftPayment: put(`${at}/{itemId}`, {
    summary: 'Change, accept or cancel draft payments. Accepting executes or schedules them.',
    body: named('DraftPaymentChanges', {
      entries: Type.Optional(entries),
      schedule: Type.Optional(Type.Nullable(NewSchedule)),
      previous_updated_timestamp: Type.Optional(Moment),
      status: Type.Optional(oneOf('ACCEPTED', 'REJECTED', 'CANCELLED')),
    }),
    replies: { 200: IdAnswer },
  }),
})
