import { type Clock, type Database, notFound } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { findById } from '../clients/store.ts'
import { checkGrant } from '../people/people.ts'
import * as store from './store.ts'

/** Every tenant's people. */
export const everyTenant = '*'

interface Bench {
  readonly database: Database
  readonly clock: Clock
}

/** Lets a client ask the people of a tenant for tokens of the platform. */
export async function approveClient({ database, clock }: Bench, clientId: string, tenant: string): Promise<void> {
  if (tenant !== everyTenant) checkGrant({ tenant })
  const client = (await findById(database, clientId)) ?? notFound('client', clientId)
  await store.add(database, { tenant, clientId: client.id, approvedAt: clock.now() })
}

/** Ends that for one tenant, or for all. Tokens that the client has are refused within a second. */
export async function withdrawClient({ database }: Bench, clientId: string, tenant?: string): Promise<void> {
  await database.transaction(async (db) => {
    if ((await store.remove(db, clientId, tenant)) === 0) notFound('approval of the client', clientId)
    await revoke(db, clientId)
  })
}

export function listApprovals({ database }: Pick<Bench, 'database'>, tenant?: string): Promise<store.ListedApproval[]> {
  return store.list(database, tenant)
}
