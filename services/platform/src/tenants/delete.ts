import { setTimeout as sleep } from 'node:timers/promises'
import { type Blobs, blobPrefix, type Clock, type Database, Failure } from '@icosa/kernel'
import type { Tenancy } from '@icosa/module'
import { eraseAudit } from '../audit/erase.ts'
import { deleteBlobs } from '../state/blobs.ts'
import { endWork, listTenants, removeRows, revokeCredentials, rowsLeft } from './store.ts'

/** The tenancy of a service, bound to its settings. */
export interface ServiceTenancy
  extends Pick<Tenancy, 'holds' | 'removeRows' | 'notImported' | 'numbered' | 'imported'> {
  readonly service: string
  release?(tenant: string): Promise<void>
}

export interface DeleteTenant {
  readonly database: Database
  readonly blobs: Blobs
  readonly clock: Clock
  readonly services: readonly ServiceTenancy[]
  /** Keys of the audit log, whose rows are kept without personal fields. */
  readonly auditKeys: readonly Uint8Array[]
  /** Whether to delete resources despite locks or holds that may be overridden. */
  readonly evenLocked?: boolean
  /** Grace period for requests and jobs in progress. */
  readonly settleMs?: number
}

export interface TenantDeleted {
  readonly rows: number
  readonly blobs: number
}

/**
 * Nodes cache credentials for a second, flush write-behind buffers a little later, and notice a lost claim within three
 * seconds.
 */
const defaultSettleMs = 4_000
const maxPasses = 20

/**
 * Deletes everything of a tenant but its audit log, which loses its personal fields: revokes credentials, releases resources
 * outside the database, then deletes rows and blobs in passes until nothing reappears. Can be repeated after a failure.
 */
export async function deleteTenant(tenant: string, options: DeleteTenant): Promise<TenantDeleted> {
  const { database, blobs, clock, services, auditKeys, settleMs = defaultSettleMs } = options
  await refuseLocked(tenant, options)
  await database.transaction((db) => revokeCredentials(db, tenant, clock.now()))
  const removers = services.flatMap(({ removeRows: remove }) => remove ?? [])
  const total = { rows: 0, blobs: 0 }
  await sleep(settleMs)
  for (let pass = 1; pass <= maxPasses; pass++) {
    await database.transaction((db) => endWork(db, tenant))
    for (const { release } of services) await release?.(tenant)
    const removed = await database.transaction((db) => removeRows(db, tenant, removers))
    const rows = removed + (await eraseAudit(database, auditKeys, tenant))
    let deleted = 0
    for (const { service } of services) deleted += await deleteBlobs(blobs, blobPrefix(service, tenant))
    total.rows += rows
    total.blobs += deleted
    if (pass > 1 && rows + deleted === 0) return total
    await sleep(settleMs)
  }
  const tables = (await rowsLeft(database, tenant)).map(({ table }) => table)
  throw new Failure('unavailable', `Concurrent writes for ${tenant} continue: ${tables.join(', ')}. Try again.`)
}

/** Pseudo-tenants of internal rows. */
const reserved = ['', 'icosa', '*']

/** Refuses tenants that do not exist or are locked. */
export async function refuseLocked(
  tenant: string,
  { database, clock, services, evenLocked }: Pick<DeleteTenant, 'database' | 'clock' | 'services' | 'evenLocked'>,
): Promise<void> {
  if (reserved.includes(tenant)) throw new Failure('invalid', `'${tenant}' is not a tenant.`)
  const exists = (await listTenants(database, tenant)).length > 0 || (await rowsLeft(database, tenant)).length > 0
  if (!exists) throw new Failure('notFound', `There is no tenant '${tenant}'.`)
  const locks = await Promise.all(services.map(({ holds }) => holds?.(database, tenant, clock.now()) ?? []))
  const blocking = locks.flat().filter(({ isFinal }) => isFinal || !evenLocked)
  if (blocking.length === 0) return
  const advice = blocking.some(({ isFinal }) => isFinal)
    ? 'This lock cannot be overridden.'
    : 'Add --even-locked to `icosa tenants delete` to delete it anyway.'
  throw new Failure('conflict', `Of ${tenant}, ${blocking.map(({ reason }) => reason).join('; ')}. ${advice}`)
}
