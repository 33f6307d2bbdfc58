import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, pageQuery, post, put, read, update } from '../dialect/contract.ts'
import { Amount, AmountShown, LabelMonetaryAccount, LabelUser, Pointer, stamps } from '../shapes/contract.ts'

const text = Type.String()
const orNull = Type.Nullable
const flag = Type.Optional(Type.Boolean())
/** Clients send a date as JavaScript or as the bank writes it. */
const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d{3,6})?Z?$' })

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export const accessTypes = ['VIEW_BALANCE', 'VIEW_TRANSACTION', 'DRAFT_PAYMENT', 'FULL_TRANSIENT'] as const

const views = { view_balance: flag, view_old_events: flag, view_new_events: flag }
const drafts = { ...views, make_draft_payments: flag }
const NewReadOnly = named('NewShareDetailReadOnly', views)
const NewDraftPayment = named('NewShareDetailDraftPayment', drafts)
const NewPayment = named('NewShareDetailPayment', {
  ...drafts,
  make_payments: flag,
  budget: Type.Optional(orNull(named('NewShareBudget', { amount: Amount, frequency: Type.Enum(frequencies) }))),
})
/** Exactly one member, under either of its names. */
const NewDetail = named('NewShareDetail', {
  payment: Type.Optional(NewPayment),
  draft_payment: Type.Optional(NewDraftPayment),
  read_only: Type.Optional(NewReadOnly),
  ShareDetailPayment: Type.Optional(NewPayment),
  ShareDetailDraftPayment: Type.Optional(NewDraftPayment),
  ShareDetailReadOnly: Type.Optional(NewReadOnly),
})

const shown = { view_balance: Type.Boolean(), view_old_events: Type.Boolean(), view_new_events: Type.Boolean() }
const ReadOnly = named('ShareDetailReadOnly', shown)
const DraftPayment = named('ShareDetailDraftPayment', { ...shown, make_draft_payments: Type.Boolean() })
const Payment = named('ShareDetailPayment', {
  ...DraftPayment.properties,
  make_payments: Type.Boolean(),
  budget: orNull(
    named('ShareBudget', { amount: AmountShown, amount_available: AmountShown, frequency: Type.Enum(frequencies) }),
  ),
})
const Detail = named('ShareDetail', {
  payment: Type.Optional(Payment),
  draft_payment: Type.Optional(DraftPayment),
  read_only: Type.Optional(ReadOnly),
  ShareDetailPayment: Type.Optional(Payment),
  ShareDetailDraftPayment: Type.Optional(DraftPayment),
  ShareDetailReadOnly: Type.Optional(ReadOnly),
})

const terms = {
  access_type: text,
  share_detail: Detail,
  share_type: text,
  start_date: orNull(text),
  end_date: orNull(text),
  status: text,
}
const Inquiry = named('ShareInviteInquiry', {
  ...stamps,
  ...terms,
  alias: LabelMonetaryAccount,
  user_alias_created: LabelUser,
  user_alias_revoked: orNull(LabelUser),
  counter_user_alias: LabelUser,
  monetary_account_id: Type.Integer(),
  relationship: orNull(text),
})
const Response = named('ShareInviteResponse', {
  ...stamps,
  ...terms,
  counter_alias: LabelMonetaryAccount,
  user_alias_cancelled: orNull(LabelUser),
  /** Null until the invitation is accepted. */
  monetary_account_id: orNull(Type.Integer()),
  description: text,
})

const changes = {
  access_type: Type.Optional(Type.Enum(accessTypes)),
  share_detail: Type.Optional(NewDetail),
  end_date: Type.Optional(orNull(date)),
}
const options = {
  ...changes,
  share_type: Type.Optional(oneOf('STANDARD', 'MUTUAL')),
  start_date: Type.Optional(orNull(date)),
  relationship: Type.Optional(Type.String({ maxLength: 100 })),
}

const inquiries = '/user/{userID}/monetary-account/{monetary-accountID}/share-invite-monetary-account-inquiry'
const responses = '/user/{userID}/share-invite-monetary-account-response'

export const shares = extensions({
  createShareInquiry: post(inquiries, {
    summary: 'Invite another user to an account, with limits and an end.',
    body: named('NewShareInvite', {
      counter_user_alias: Pointer,
      status: Type.Optional(oneOf('PENDING')),
      ...options,
    }),
    replies: { 200: IdAnswer },
  }),
  listShareInquiries: get(inquiries, {
    summary: 'List those who were invited to an account.',
    query: pageQuery,
    replies: { 200: many('ShareInviteMonetaryAccountInquiry', Inquiry) },
  }),
  getShareInquiry: read(
    `${inquiries}/{itemId}`,
    'Read an invitation to an account.',
    one('ShareInviteMonetaryAccountInquiry', Inquiry),
  ),
  updateShareInquiry: put(`${inquiries}/{itemId}`, {
    summary: 'Revoke an invitation, or change its limits and its end.',
    body: named('ShareInviteChanges', {
      ...changes,
      status: Type.Optional(oneOf('PENDING', 'ACCEPTED', 'REVOKED', 'CANCELLED')),
      counter_user_alias: Type.Optional(Pointer),
      share_type: Type.Optional(oneOf('STANDARD', 'MUTUAL')),
    }),
    replies: { 200: IdAnswer },
  }),
  listShareResponses: get(responses, {
    summary: 'List the invitations that a user has received.',
    query: pageQuery,
    replies: { 200: many('ShareInviteMonetaryAccountResponse', Response) },
  }),
  getShareResponse: read(
    `${responses}/{itemId}`,
    'Read a received invitation.',
    one('ShareInviteMonetaryAccountResponse', Response),
  ),
  updateShareResponse: update(
    `${responses}/{itemId}`,
    'Accept, reject or end access to the account of another user.',
    named('ShareInviteAnswer', { status: oneOf('ACCEPTED', 'REJECTED', 'CANCELLED') }),
  ),
})
