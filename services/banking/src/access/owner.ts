import { type Context, notFound } from '@icosa/kernel'
import { SessionCaller } from '../dialect/caller.ts'
import { ownsAccount, userExists } from './store.ts'

/**
 * Whoever calls acts only as itself, whatever the path says: a session as its user, a key of the platform as any user of its
 * tenant; and an account in the path is that user's. What belongs to others is not found.
 */
export async function checkOwner(params: Readonly<Record<string, string>>, { db, caller }: Context): Promise<void> {
  const { userID: user, 'monetary-accountID': account } = params
  if (user === undefined) return
  if (caller instanceof SessionCaller ? caller.user !== user : !(await userExists(db, caller.tenant, user)))
    notFound('user', user)
  if (account !== undefined && !(await ownsAccount(db, caller.tenant, user, account)))
    notFound('monetary account', account)
}
