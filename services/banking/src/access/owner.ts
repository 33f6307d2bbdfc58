import type { Operation } from '@icosa/contract'
import { notFound, type ReadingContext } from '@icosa/kernel'
import { SessionCaller } from '../dialect/caller.ts'
import { mayShare } from '../shares/access.ts'
import { ownsAccount, userExists } from './store.ts'

/**
 * Checks that the caller may act as the user in the path (a session only as its own user, a platform key as any user of its
 * tenant), and that the account in the path is that user's, or shared with the user for this operation. Others' ids are not
 * found.
 */
export async function checkOwner(
  params: Readonly<Record<string, string>>,
  { db, caller, clock }: Pick<ReadingContext, 'db' | 'caller' | 'clock'>,
  operation: Operation,
): Promise<void> {
  const { userID: user, 'monetary-accountID': account } = params
  if (user === undefined) return
  if (caller instanceof SessionCaller ? caller.user !== user : !(await userExists(db, caller.tenant, user)))
    notFound('user', user)
  if (account === undefined || (await ownsAccount(db, caller.tenant, user, account))) return
  const place = { user, account, now: clock.now() }
  if (!(await mayShare(db, caller.tenant, operation, place))) notFound('monetary account', account)
}
