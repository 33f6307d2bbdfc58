import { extensions, having, ignoring, named, oneOf, type Schema, type Static, Type } from '@icosa/contract'
import { create, get, list, many, mixed, one, pageQuery, read, update } from '../dialect/contract.ts'
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

/** The operations of one kind of account. */
function operationsOn<const P extends string, const W extends string, N extends Schema, C extends Schema>(
  [path, wrapper, noun]: readonly [P, W, string],
  NewAccount: N,
  Changes: C,
) {
  const all = `/user/{userID}/monetary-account-${path}` as const
  return {
    list: list(all, `List the ${noun}s of a user.`, many(wrapper, MonetaryAccount)),
    create: create(all, `Open a ${noun}.`, NewAccount),
    read: read(`${all}/{itemId}`, `Read a ${noun}.`, one(wrapper, MonetaryAccount)),
    update: update(`${all}/{itemId}`, `Change a ${noun}, or close it.`, Changes),
  }
}

const bank = operationsOn(['bank', 'MonetaryAccountBank', 'current account'], NewAccount, AccountChanges)
const savings = operationsOn(['savings', 'MonetaryAccountSavings', 'savings account'], NewSavings, SavingsChanges)
const joint = operationsOn(['joint', 'MonetaryAccountJoint', 'joint account'], NewJoint, JointChanges)

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

  listBankAccounts: bank.list,
  createBankAccount: bank.create,
  getBankAccount: bank.read,
  updateBankAccount: bank.update,

  listSavingsAccounts: savings.list,
  createSavingsAccount: savings.create,
  getSavingsAccount: savings.read,
  updateSavingsAccount: savings.update,

  listJointAccounts: joint.list,
  createJointAccount: joint.create,
  getJointAccount: joint.read,
  updateJointAccount: joint.update,
})
