import { randomBytes } from 'node:crypto'
import { Failure, implement, invalid, notFound, ok, withPreparation } from '@icosa/kernel'
import { hashPassword } from '@icosa/tokens/passwords'
import { checkScopes } from '../access/scopes.ts'
import { insertLogin } from '../access/store.ts'
import { searchContextOf } from '../contributions/search-context.ts'
import { contributor } from '../dialect/caller.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { visibleTo } from '../search/conditions-store.ts'
import { users as contract } from './contract.ts'
import * as store from './store.ts'
import { toUser } from './view.ts'

export const users = implement<typeof contract, ServiceRuntime>(contract, {
  async listUsers({ query }, context) {
    const { db, caller } = context
    const { rows, total } = await store.listUsers(
      db,
      caller.tenant,
      query,
      visibleTo(searchContextOf(context)),
      windowOf(query),
    )
    return paged(rows.map(toUser), total, query)
  },

  createUser: withPreparation(
    async ({ body }, { caller }) => {
      if (!contributor(caller).isTenant) throw new Failure('forbidden', 'Only platform keys can create users.')
      checkScopes(body.scopes ?? ['contribute'], 'body/scopes')
      return hashPassword(body.password)
    },
    async ({ body }, { db, caller, clock }, passwordHash) => {
      const { tenant } = caller
      const { username, displayName = null, bio = null, email = null } = body
      const id = `user_${randomBytes(9).toString('base64url')}`
      const user = { id, username, displayName, bio, email, registeredAt: clock.now() }
      const row = (await store.insertUser(db, tenant, user)) ?? duplicateName()
      const login = { username, tenant, user: id, passwordHash, scopes: body.scopes ?? ['contribute'] }
      if (!(await insertLogin(db, login))) duplicateName()
      return ok(toUser(row))
    },
  ),

  async getUser({ params: { id } }, { db, caller }) {
    return ok(toUser((await store.findUser(db, caller.tenant, id)) ?? notFound('user', id)))
  },

  async getLinkedProfile({ params: { id, type } }, { db, caller }) {
    const profile = (await store.findProfile(db, caller.tenant, id, type)) ?? notFound('linked profile', type)
    const isOwn = contributor(caller).isTenant || contributor(caller).user === id
    return ok(toProfile(profile, isOwn))
  },

  async linkProfile({ params: { id, type }, body }, { db, caller, clock }) {
    const { isTenant, user } = contributor(caller)
    if (!(await store.findUser(db, caller.tenant, id))) notFound('user', id)
    if (!isTenant && user !== id) throw new Failure('forbidden', `The user '${id}' is not you.`)
    const { registered, ...profile } = body
    const at = registered === undefined ? undefined : new Date(registered)
    return ok(toProfile(await store.putProfile(db, caller.tenant, id, type, profile, at, clock.now()), true))
  },
})

const duplicateName = (): never => invalid([{ at: 'body/username', message: 'is taken' }])

/** The email address is visible only to the user and the tenant. */
function toProfile({ profile: { email, ...profile }, registeredAt }: store.ProfileRow, isOwn: boolean) {
  return { ...profile, ...(isOwn && email !== undefined && { email }), registered: registeredAt.toISOString() }
}
