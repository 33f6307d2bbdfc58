import { type Caller, Failure, invalid, permissionsOf, type ReadingDb } from '@icosa/kernel'
import type { Desired } from '../functions/desired.ts'
import { ownOf } from '../policies/grants.ts'
import { accountOf } from './email.ts'
import { type AccountRow, find } from './store.ts'

/**
 * Refuses unknown service accounts, and those that may do more than the caller: deployed code gets their permissions. A
 * pattern that the caller's own patterns match as a text is contained in them.
 */
export async function checkAccounts(
  db: ReadingDb,
  caller: Caller,
  { serviceConfig, eventTrigger }: Desired,
): Promise<void> {
  await checkAccount(db, caller, serviceConfig.serviceAccountEmail, 'body/serviceConfig/serviceAccountEmail')
  await checkAccount(db, caller, eventTrigger?.serviceAccountEmail, 'body/eventTrigger/serviceAccountEmail')
}

async function checkAccount(db: ReadingDb, caller: Caller, email: string | undefined, at: string): Promise<void> {
  if (email === undefined) return
  const account = await accountAt(db, caller.tenant, email)
  if (!account)
    invalid([
      {
        at,
        message: `'${email}' is not a service account: create it with \`icosa functions service-accounts create\``,
      },
    ])
  const missing = account.permissions.find((pattern) => !ownOf(caller).allows(pattern))
  if (missing !== undefined)
    throw new Failure('forbidden', `${email} has the permission ${missing}, which the credential ${caller.id} lacks.`)
}

async function accountAt(db: ReadingDb, tenant: string, email: string): Promise<AccountRow | undefined> {
  const name = accountOf(email)
  return name && find(db, tenant, name)
}

/** A service account as a caller; undefined if it was deleted. */
export async function callerOf(db: ReadingDb, tenant: string, email: string): Promise<Caller | undefined> {
  const account = await accountAt(db, tenant, email)
  return account && { id: email, tenant, allows: permissionsOf(account.permissions) }
}
