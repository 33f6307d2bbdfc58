import { type Context, Failure, implement, invalid, notFound, type ReadingContext, type ReadingDb } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { avatarChange } from '../attachments/avatars.ts'
import { created, itemReply, listed, listedMixed, type PageQuery } from '../dialect/reply.ts'
import { isCurrency } from '../ledger/money.ts'
import { balancesOf } from '../ledger/store.ts'
import { shareOf, visibleAccounts } from '../shares/store.ts'
import { unsupported } from '../unsupported.ts'
import { accounts as contract } from './contract.ts'
import * as store from './store.ts'
import { toAccount } from './view.ts'

interface AccountBody {
  readonly avatar_uuid?: string | null
  readonly all_co_owner?: readonly object[]
  readonly currency?: string
  readonly description?: string
  readonly status?: string
  readonly sub_status?: string
}

async function toViews(db: ReadingDb, tenant: string, accounts: readonly store.Account[]) {
  const balances = await balancesOf(
    db,
    tenant,
    accounts.map(({ id }) => id),
  )
  return accounts.map((account) => toAccount(account, balances.get(account.id) as never))
}

type ItemParams = { readonly userID: string; readonly itemId: string }
type Reading = Pick<ReadingContext, 'db' | 'caller' | 'clock'>

async function ownAccount(db: ReadingDb, tenant: string, { userID, itemId }: ItemParams, kind?: store.AccountKind) {
  const account = await store.findAccount(db, tenant, itemId)
  const isOwn = account?.user === userID && (kind === undefined || account.kind === kind)
  return isOwn ? account : notFound('monetary account', itemId)
}

/** An account of the user, or one that another shares with the user. */
async function visibleAccount(
  { db, caller, clock }: Reading,
  { userID, itemId }: ItemParams,
  kind?: store.AccountKind,
) {
  const account = await store.findAccount(db, caller.tenant, itemId)
  if (!account || (kind !== undefined && account.kind !== kind)) return notFound('monetary account', itemId)
  if (account.user === userID) return account
  const share = await shareOf(db, caller.tenant, { user: userID, account: itemId, now: clock.now() })
  return share?.body.access.view_balance ? account : notFound('monetary account', itemId)
}

async function visibleAccountsOf(
  { db, caller, clock }: Reading,
  user: string,
  query: PageQuery,
  kind?: store.AccountKind,
) {
  const shared = await visibleAccounts(db, caller.tenant, user, clock.now())
  return store.listAccounts(db, caller.tenant, user, query, { kind, shared })
}

async function detailsOf(db: ReadingDb, tenant: string, body: AccountBody): Promise<store.AccountDetails> {
  const { avatar_uuid, all_co_owner: owners = [], ...details } = body
  if (owners.length > 0) notSupported(unsupported.jointOwners)
  return { ...details, ...(await avatarChange(db, tenant, avatar_uuid)) }
}

/** The four operations of every kind of account. */
function ofKind<K extends store.AccountKind>(kind: K) {
  return {
    async list({ params, query }: { params: { userID: string }; query: PageQuery }, context: Reading) {
      const accounts = await visibleAccountsOf(context, params.userID, query, kind)
      const views = await toViews(context.db, context.caller.tenant, accounts)
      return listed(
        kind,
        query,
        views,
        (view) => view,
        ({ id }) => id,
      )
    },
    async create({ params, body }: { params: { userID: string }; body: AccountBody }, { db, caller, clock }: Context) {
      const { currency = '', description = '', ...fields } = body
      if (!isCurrency(currency)) invalid([{ at: 'body/currency', message: 'is not a supported currency' }])
      const details = await detailsOf(db, caller.tenant, fields)
      const account = { user: params.userID, kind, currency, description, details, at: clock.now() }
      return created(await store.insertAccount(db, caller.tenant, account))
    },
    async get({ params }: { params: ItemParams }, context: Reading) {
      const { db, caller } = context
      const [view] = await toViews(db, caller.tenant, [await visibleAccount(context, params, kind)])
      return itemReply(kind, view as NonNullable<typeof view>)
    },
    async update({ params, body }: { params: ItemParams; body: AccountBody }, context: Context) {
      const { db, caller, clock } = context
      const { id, details: before } = await ownAccount(db, caller.tenant, params, kind)
      const { description, status, sub_status: subStatus, ...fields } = body
      if (status === 'CANCELLED') await refuseUnlessEmpty(context, id)
      const changed = await detailsOf(db, caller.tenant, fields)
      const details = changed.setting ? { ...changed, setting: { ...before.setting, ...changed.setting } } : changed
      await store.changeAccount(db, caller.tenant, id, { description, status, subStatus, details }, clock.now())
      return created(id)
    },
  }
}

async function refuseUnlessEmpty({ db, caller }: Context, id: string): Promise<void> {
  const balance = (await balancesOf(db, caller.tenant, [id])).get(id)
  if (balance?.amount !== 0n || balance.reserved !== 0n)
    throw new Failure('invalid', 'The account has a balance or reserved amounts: transfer the money away first.')
}

const bank = ofKind('MonetaryAccountBank')
const savings = ofKind('MonetaryAccountSavings')
const joint = ofKind('MonetaryAccountJoint')

export const accounts = implement(contract, {
  async listMonetaryAccounts({ params, query }, context) {
    const rows = await visibleAccountsOf(context, params.userID, query)
    const views = await toViews(context.db, context.caller.tenant, rows)
    const kinds = new Map(rows.map(({ id, kind }) => [Number(id), kind]))
    return listedMixed(
      query,
      views,
      (view) => ({ [kinds.get(view.id) as string]: view }),
      ({ id }) => id,
    )
  },
  async getMonetaryAccount({ params }, context) {
    const account = await visibleAccount(context, params)
    const [view] = await toViews(context.db, context.caller.tenant, [account])
    return itemReply(account.kind, view as NonNullable<typeof view>)
  },
  listBankAccounts: bank.list,
  createBankAccount: bank.create,
  getBankAccount: bank.get,
  updateBankAccount: bank.update,
  listSavingsAccounts: savings.list,
  createSavingsAccount: savings.create,
  getSavingsAccount: savings.get,
  updateSavingsAccount: savings.update,
  listJointAccounts: joint.list,
  createJointAccount: joint.create,
  getJointAccount: joint.get,
  updateJointAccount: joint.update,
})
