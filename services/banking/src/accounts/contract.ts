import { extensions, having, ignoring, named, oneOf, type Static, Type } from '@icosa/contract'
import { get, IdAnswer, many, mixed, one, pageQuery, post, put } from '../dialect/contract.ts'
import {
  Amount,
  AmountShown,
  AvatarShown,
  color,
  currencyCode,
  LabelUser,
  PointerShown,
  stamps,
  uuid,
} from '../shapes/contract.ts'

const orNull = Type.Nullable
const text = Type.String({ maxLength: 200 })
const description = Type.String({ minLength: 1, maxLength: 140 })

const NewSetting = named('MonetaryAccountSetting', {
  color: Type.Optional(color),
  icon: Type.Optional(Type.Nullable(text)),
  restriction_chat: Type.Optional(text),
  sdd_expiration_action: Type.Optional(oneOf('AUTO_ACCEPT', 'AUTO_REJECT')),
})
/** `default_avatar_status` is derived from the avatar, but bunq-js-client sends it with every new account. */
const Setting = ignoring(NewSetting, ['default_avatar_status'])

export const MonetaryAccount = named('MonetaryAccount', {
  ...stamps,
  public_uuid: Type.String(),
  user_id: Type.Integer(),
  currency: Type.String(),
  description: Type.String(),
  display_name: Type.String(),
  status: Type.String(),
  sub_status: Type.String(),
  balance: AmountShown,
  /** Ours: the part of the balance that cards have reserved. */
  balance_reserved: AmountShown,
  overdraft_limit: AmountShown,
  alias: Type.Array(PointerShown),
  avatar: orNull(AvatarShown),
  setting: named('MonetaryAccountSettingShown', {
    color: Type.String(),
    icon: orNull(Type.String()),
    default_avatar_status: Type.String(),
    restriction_chat: Type.String(),
    sdd_expiration_action: Type.String(),
  }),
  daily_limit: AmountShown,
  reason: orNull(Type.String()),
  reason_description: orNull(Type.String()),
  monetary_account_profile: orNull(Type.Record(Type.Unknown())),
  all_auto_save_id: Type.Array(Type.Record(Type.Unknown())),
  all_co_owner: Type.Array(named('CoOwner', { alias: LabelUser, status: Type.String() })),
  savings_goal: Type.Optional(AmountShown),
})
export interface MonetaryAccountShown extends Static<typeof MonetaryAccount> {}

const changes = {
  avatar_uuid: Type.Optional(Type.Nullable(uuid)),
  description: Type.Optional(description),
  display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
  daily_limit: Type.Optional(Amount),
  setting: Type.Optional(Setting),
  reason: Type.Optional(text),
  reason_description: Type.Optional(text),
}
/** A new account is active, whatever status the client sends, as in the original. */
const NewAccount = ignoring(named('NewMonetaryAccount', { currency: currencyCode, ...changes }), [
  'status',
  'sub_status',
])
const AccountChanges = named('MonetaryAccountChanges', {
  ...changes,
  status: Type.Optional(oneOf('ACTIVE', 'CANCELLED')),
  sub_status: Type.Optional(oneOf('NONE', 'REDEMPTION_VOLUNTARY')),
})
const owners = { all_co_owner: Type.Optional(Type.Array(Type.Record(Type.Unknown()), { minItems: 1, maxItems: 10 })) }
const goal = { ...owners, savings_goal: Type.Optional(Amount) }
const NewSavings = having(NewAccount, goal)
const SavingsChanges = having(AccountChanges, goal)
const NewJoint = having(NewAccount, owners)
const JointChanges = having(AccountChanges, owners)

const AnyAccount = named('AnyMonetaryAccount', {
  MonetaryAccountBank: Type.Optional(MonetaryAccount),
  MonetaryAccountSavings: Type.Optional(MonetaryAccount),
  MonetaryAccountJoint: Type.Optional(MonetaryAccount),
})

export const accounts = extensions({
  listMonetaryAccounts: get('/user/{userID}/monetary-account', {
    summary: 'List the accounts of a user, of every kind.',
    query: pageQuery,
    replies: { 200: mixed('MonetaryAccountList', AnyAccount) },
  }),
  getMonetaryAccount: get('/user/{userID}/monetary-account/{itemId}', {
    summary: 'Read an account of any kind.',
    replies: { 200: named('MonetaryAccountAnswer', { Response: Type.Array(AnyAccount) }) },
  }),

  listBankAccounts: get('/user/{userID}/monetary-account-bank', {
    summary: 'List the current accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountBank', MonetaryAccount) },
  }),
  createBankAccount: post('/user/{userID}/monetary-account-bank', {
    summary: 'Open a current account.',
    body: NewAccount,
    replies: { 200: IdAnswer },
  }),
  getBankAccount: get('/user/{userID}/monetary-account-bank/{itemId}', {
    summary: 'Read a current account.',
    replies: { 200: one('MonetaryAccountBank', MonetaryAccount) },
  }),
  updateBankAccount: put('/user/{userID}/monetary-account-bank/{itemId}', {
    summary: 'Change a current account, or close it.',
    body: AccountChanges,
    replies: { 200: IdAnswer },
  }),

  listSavingsAccounts: get('/user/{userID}/monetary-account-savings', {
    summary: 'List the savings accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountSavings', MonetaryAccount) },
  }),
  createSavingsAccount: post('/user/{userID}/monetary-account-savings', {
    summary: 'Open a savings account.',
    body: NewSavings,
    replies: { 200: IdAnswer },
  }),
  getSavingsAccount: get('/user/{userID}/monetary-account-savings/{itemId}', {
    summary: 'Read a savings account.',
    replies: { 200: one('MonetaryAccountSavings', MonetaryAccount) },
  }),
  updateSavingsAccount: put('/user/{userID}/monetary-account-savings/{itemId}', {
    summary: 'Change a savings account, or close it.',
    body: SavingsChanges,
    replies: { 200: IdAnswer },
  }),

  listJointAccounts: get('/user/{userID}/monetary-account-joint', {
    summary: 'List the joint accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountJoint', MonetaryAccount) },
  }),
  createJointAccount: post('/user/{userID}/monetary-account-joint', {
    summary: 'Open a joint account.',
    body: NewJoint,
    replies: { 200: IdAnswer },
  }),
  getJointAccount: get('/user/{userID}/monetary-account-joint/{itemId}', {
    summary: 'Read a joint account.',
    replies: { 200: one('MonetaryAccountJoint', MonetaryAccount) },
  }),
  updateJointAccount: put('/user/{userID}/monetary-account-joint/{itemId}', {
    summary: 'Change a joint account, or close it.',
    body: JointChanges,
    replies: { 200: IdAnswer },
  }),
})
