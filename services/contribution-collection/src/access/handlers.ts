import { anonymous, implement, ok, type ReadingContext, withPreparation } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { findUser, profilesOf } from '../users/store.ts'
import { toUser } from '../users/view.ts'
import { access as contract } from './contract.ts'
import { checkGrant, grant } from './password-grant.ts'
import { scopes } from './scopes.ts'
import { findSession, loginsOf } from './store.ts'

export const access = implement<typeof contract, ServiceRuntime>(contract, {
  createToken: withPreparation(
    ({ body, headers }, context) => checkGrant(body, headers.authorization, anonymous(context.caller).ip, context),
    async (_, context, session) =>
      ok(await grant(context, session), { headers: { 'cache-control': 'no-store', pragma: 'no-cache' } }),
  ),

  async verifyToken(_, context) {
    const { db, caller } = context
    const { id, user, session } = contributor(caller)
    const client = session === undefined ? undefined : (await findSession(db, caller.tenant, session))?.client
    const row = await findUser(db, caller.tenant, user)
    return ok({
      id: session ?? id,
      ...(client && { client: { id: client, name: client } }),
      user: row ? toUser(row) : { id: user },
    })
  },

  listCredentials: async (_, context) => ok(await credentialsOf(context)),

  listScopes: async () => ok(scopes),
})

/** The credential of this request, then the other credentials of its user. */
async function credentialsOf({ db, caller }: ReadingContext<ServiceRuntime>) {
  const { id, user, session } = contributor(caller)
  const current = session === undefined ? undefined : await findSession(db, caller.tenant, session)
  const logins = await loginsOf(db, caller.tenant, user)
  const profiles = await profilesOf(db, caller.tenant, user)
  return [
    current
      ? { type: 'token', user, value: current.id, scopes: [...current.scopes] }
      : { type: 'key', user, value: id, scopes: ['full'] },
    ...logins.map(({ username, scopes }) => ({ type: 'password', user, value: username, scopes: [...scopes] })),
    ...profiles.map(({ type, profile }) => ({ type: `linked ${type}`, user, value: profile.id, scopes: [] })),
  ]
}
