import { type Clock, type Database, notFound } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { findById } from '../clients/store.ts'
import { checkGrant } from '../people/people.ts'
import * as store from './store.ts'

/** Approves for users of every tenant. */
export const everyTenant = '*'

interface OperatorContext {
  readonly database: Database
  readonly clock: Clock
}

/** Lets a client request platform tokens for users of a tenant. */
export async function approveClient(
  { database, clock }: OperatorContext,
  clientId: string,
  tenant: string,
): Promise<void> {
  if (tenant !== everyTenant) checkGrant({ tenant })
  const client = (await findById(database, clientId)) ?? notFound('client', clientId)
  await store.add(database, { tenant, clientId: client.id, approvedAt: clock.now() })
}

/** Withdraws the approval for one tenant, or all. Issued tokens are rejected within a second. */
export async function withdrawClient({ database }: OperatorContext, clientId: string, tenant?: string): Promise<void> {
  await database.transaction(async (db) => {
    if ((await store.remove(db, clientId, tenant)) === 0) notFound('approval of the client', clientId)
    await revoke(db, clientId)
  })
}

export function listApprovals(
  { database }: Pick<OperatorContext, 'database'>,
  tenant?: string,
): Promise<store.ListedApproval[]> {
  return store.list(database, tenant)
}
