import { type Caller, type Context, implement, notFound, ok, type ReadingDb } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { avatarChange } from '../attachments/avatars.ts'
import { SessionCaller } from '../dialect/caller.ts'
import { asList, created, itemReply, listedMixed } from '../dialect/reply.ts'
import { unsupported } from '../unsupported.ts'
import { users as contract } from './contract.ts'
import { insertSandboxUser } from './sandbox.ts'
import * as store from './store.ts'
import { type CompanyShown, legalNameOf, type PersonShown, toUser, wrapped } from './view.ts'

const createUser = async ({ db, caller, clock }: Context, kind: store.UserKind) => {
  const { key } = await insertSandboxUser(db, caller.tenant, kind, clock.now())
  return itemReply('ApiKey', { api_key: key })
}

/** A session finds only its own user. */
async function userFor(db: ReadingDb, caller: Caller, id: string, kind?: store.UserKind): Promise<store.User> {
  const isOwn = !(caller instanceof SessionCaller) || caller.user === id
  const user = isOwn ? await store.findUser(db, caller.tenant, id) : undefined
  return user && (kind === undefined || user.kind === kind) ? user : notFound('user', id)
}

interface Changes {
  readonly avatar_uuid?: string | null
  readonly status?: 'ACTIVE' | 'CANCELLED'
  readonly display_name?: string
  readonly name?: string
  readonly session_timeout?: number
}

const update =
  (kind: store.UserKind) =>
  async ({ params, body }: { params: { itemId: string }; body: Changes }, { db, caller, clock }: Context) => {
    const user = await userFor(db, caller, params.itemId, kind)
    const { display_name, session_timeout: sessionTimeout, avatar_uuid, status, ...fields } = body
    if (status === 'CANCELLED') notSupported(unsupported.closedUsers)
    const profile = { ...fields, ...(await avatarChange(db, caller.tenant, avatar_uuid)) }
    const displayName = display_name ?? body.name
    await store.changeUser(db, caller.tenant, user.id, { displayName, sessionTimeout, profile }, clock.now())
    return created(user.id)
  }

export const users = implement(contract, {
  createSandboxUser: (_, context) => createUser(context, 'UserPerson'),
  createSandboxUserPerson: (_, context) => createUser(context, 'UserPerson'),
  createSandboxUserCompany: (_, context) => createUser(context, 'UserCompany'),

  async listUsers({ query }, { db, caller }) {
    if (!(caller instanceof SessionCaller))
      return listedMixed({ ...query, count: 200 }, await store.listUsers(db, caller.tenant), wrapped, ({ id }) =>
        Number(id),
      )
    const user = await userFor(db, caller, caller.user)
    return listedMixed(query, [user], wrapped, ({ id }) => Number(id))
  },
  async getUser({ params }, { db, caller }) {
    return ok({ Response: [wrapped(await userFor(db, caller, params.itemId))] })
  },
  async getUserPerson({ params }, { db, caller }) {
    const user = await userFor(db, caller, params.itemId, 'UserPerson')
    return itemReply('UserPerson', toUser(user) as PersonShown)
  },
  updateUserPerson: update('UserPerson'),
  async getUserCompany({ params }, { db, caller }) {
    return itemReply('UserCompany', toUser(await userFor(db, caller, params.itemId, 'UserCompany')) as CompanyShown)
  },
  updateUserCompany: update('UserCompany'),
  async listUserCompanyNames({ params }, { db, caller }) {
    const user = await userFor(db, caller, params['user-companyID'], 'UserCompany')
    return asList('UserCompanyNameArray', [{ name_array: [user.displayName] }])
  },
  async listLegalNames({ params }, { db, caller }) {
    const user = await userFor(db, caller, params.userID)
    return asList('UserLegalNameArray', [{ legal_names: [legalNameOf(user)] }])
  },
})
