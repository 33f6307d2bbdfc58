import { named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, mixed, one, pageQuery, post, put } from '../dialect/contract.ts'
import { Amount, AmountShown, AvatarShown, currencyCode, Pointer, stamps } from '../shapes/contract.ts'

const text = Type.String({ maxLength: 200 })
const description = Type.String({ minLength: 1, maxLength: 140 })

const Setting = named('MonetaryAccountSetting', {
  color: Type.Optional(Type.String({ pattern: '^#[0-9A-F]{6}$' })),
  icon: Type.Optional(text),
  default_avatar_status: Type.Optional(text),
  restriction_chat: Type.Optional(text),
})

const MonetaryAccount = named('MonetaryAccount', {
  ...stamps,
  public_uuid: Type.String(),
  user_id: Type.Integer(),
  currency: Type.String(),
  description: Type.String(),
  display_name: Type.String(),
  status: Type.String(),
  sub_status: Type.String(),
  balance: AmountShown,
  overdraft_limit: AmountShown,
  alias: Type.Array(Pointer),
  avatar: Type.Nullable(AvatarShown),
  setting: Setting,
  daily_limit: AmountShown,
  reason: Type.Optional(Type.String()),
  reason_description: Type.Optional(Type.String()),
  savings_goal: Type.Optional(AmountShown),
})

const changes = {
  description: Type.Optional(description),
  daily_limit: Type.Optional(Amount),
  setting: Type.Optional(Setting),
  reason: Type.Optional(text),
  reason_description: Type.Optional(text),
}
const NewAccount = named('NewMonetaryAccount', { currency: currencyCode, ...changes })
const AccountChanges = named('MonetaryAccountChanges', {
  ...changes,
  status: Type.Optional(oneOf('ACTIVE', 'CANCELLED')),
  sub_status: Type.Optional(oneOf('NONE', 'REDEMPTION_VOLUNTARY')),
})
const goal = { savings_goal: Type.Optional(Amount) }
const NewSavings = named('NewMonetaryAccountSavings', { ...NewAccount.properties, ...goal })
const SavingsChanges = named('MonetaryAccountSavingsChanges', { ...AccountChanges.properties, ...goal })

const AnyAccount = named('AnyMonetaryAccount', {
  MonetaryAccountBank: Type.Optional(MonetaryAccount),
  MonetaryAccountSavings: Type.Optional(MonetaryAccount),
  MonetaryAccountJoint: Type.Optional(MonetaryAccount),
})
const extension = true

export const accounts = {
  listMonetaryAccounts: get('/user/{userID}/monetary-account', {
    summary: 'List the accounts of a user, of every kind.',
    query: pageQuery,
    replies: { 200: mixed('MonetaryAccountList', AnyAccount) },
    extension,
  }),
  getMonetaryAccount: get('/user/{userID}/monetary-account/{itemId}', {
    summary: 'Read an account of any kind.',
    replies: { 200: named('MonetaryAccountAnswer', { Response: Type.Array(AnyAccount) }) },
    extension,
  }),

  listBankAccounts: get('/user/{userID}/monetary-account-bank', {
    summary: 'List the current accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountBank', MonetaryAccount) },
    extension,
  }),
  createBankAccount: post('/user/{userID}/monetary-account-bank', {
    summary: 'Open a current account.',
    body: NewAccount,
    replies: { 200: IdAnswer },
    extension,
  }),
  getBankAccount: get('/user/{userID}/monetary-account-bank/{itemId}', {
    summary: 'Read a current account.',
    replies: { 200: one('MonetaryAccountBank', MonetaryAccount) },
    extension,
  }),
  updateBankAccount: put('/user/{userID}/monetary-account-bank/{itemId}', {
    summary: 'Change a current account, or close it.',
    body: AccountChanges,
    replies: { 200: IdAnswer },
    extension,
  }),

  listSavingsAccounts: get('/user/{userID}/monetary-account-savings', {
    summary: 'List the savings accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountSavings', MonetaryAccount) },
    extension,
  }),
  createSavingsAccount: post('/user/{userID}/monetary-account-savings', {
    summary: 'Open a savings account.',
    body: NewSavings,
    replies: { 200: IdAnswer },
    extension,
  }),
  getSavingsAccount: get('/user/{userID}/monetary-account-savings/{itemId}', {
    summary: 'Read a savings account.',
    replies: { 200: one('MonetaryAccountSavings', MonetaryAccount) },
    extension,
  }),
  updateSavingsAccount: put('/user/{userID}/monetary-account-savings/{itemId}', {
    summary: 'Change a savings account, or close it.',
    body: SavingsChanges,
    replies: { 200: IdAnswer },
    extension,
  }),

  listJointAccounts: get('/user/{userID}/monetary-account-joint', {
    summary: 'List the joint accounts of a user.',
    query: pageQuery,
    replies: { 200: many('MonetaryAccountJoint', MonetaryAccount) },
    extension,
  }),
  createJointAccount: post('/user/{userID}/monetary-account-joint', {
    summary: 'Open a joint account.',
    body: NewAccount,
    replies: { 200: IdAnswer },
    extension,
  }),
  getJointAccount: get('/user/{userID}/monetary-account-joint/{itemId}', {
    summary: 'Read a joint account.',
    replies: { 200: one('MonetaryAccountJoint', MonetaryAccount) },
    extension,
  }),
  updateJointAccount: put('/user/{userID}/monetary-account-joint/{itemId}', {
    summary: 'Change a joint account, or close it.',
    body: AccountChanges,
    replies: { 200: IdAnswer },
    extension,
  }),
}
