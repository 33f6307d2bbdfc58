import { setTimeout as sleep } from 'node:timers/promises'
import { type Blobs, blobPrefix, type Clock, type Database, Failure } from '@icosa/kernel'
import type { Tenancy } from '@icosa/module'
import { eraseAudit } from '../audit/erase.ts'
import { deleteBlobs } from '../state/blobs.ts'
import { endWork, listTenants, removeRows, rowsLeft, shutOut } from './store.ts'

/** A service as far as it knows of tenants, with all that it needs for it. */
export interface ServiceTenancy extends Pick<Tenancy, 'holds' | 'removeRows'> {
  readonly service: string
  release?(tenant: string): Promise<void>
}

export interface DeleteTenant {
  readonly database: Database
  readonly blobs: Blobs
  readonly clock: Clock
  readonly services: readonly ServiceTenancy[]
  /** The keys of the audit log, whose rows stay without their personal fields. */
  readonly auditKeys: readonly Uint8Array[]
  /** Whether to delete also what a lock or a hold keeps that may be broken. */
  readonly evenLocked?: boolean
  /** For how long nodes may still write what they had begun. */
  readonly settleMs?: number
}

export interface TenantDeleted {
  readonly rows: number
  readonly blobs: number
}

/**
 * Nodes take a key for a second longer, write some of what they note in memory a little later, and hear within three seconds that a
 * job which they run is no longer theirs.
 */
const defaultSettleMs = 4_000
const passesLimit = 20

/**
 * Leaves nothing of a tenant but its audit log, without personal fields. Callers are shut out first, then what lies outside the database ends, then rows and blobs go,
 * again and again until nothing came back meanwhile. If it breaks off anywhere, it is begun again.
 */
export async function deleteTenant(tenant: string, options: DeleteTenant): Promise<TenantDeleted> {
  const { database, blobs, clock, services, auditKeys, settleMs = defaultSettleMs } = options
  await refuseHeld(tenant, options)
  await database.transaction((db) => shutOut(db, tenant, clock.now()))
  const byOthers = services.flatMap(({ removeRows: remove }) => remove ?? [])
  const total = { rows: 0, blobs: 0 }
  await sleep(settleMs)
  for (let pass = 1; pass <= passesLimit; pass++) {
    await database.transaction((db) => endWork(db, tenant))
    for (const { release } of services) await release?.(tenant)
    const removed = await database.transaction((db) => removeRows(db, tenant, byOthers))
    const rows = removed + (await eraseAudit(database, auditKeys, tenant))
    let deleted = 0
    for (const { service } of services) deleted += await deleteBlobs(blobs, blobPrefix(service, tenant))
    total.rows += rows
    total.blobs += deleted
    if (pass > 1 && rows + deleted === 0) return total
    await sleep(settleMs)
  }
  const left = (await rowsLeft(database, tenant)).map(({ table }) => table)
  throw new Failure('unavailable', `Somebody still writes for ${tenant}: ${left.join(', ')}. Try again.`)
}

/** What belongs to no tenant is kept under these names. */
const nobodys = ['', 'icosa', '*']

async function refuseHeld(tenant: string, { database, clock, services, evenLocked }: DeleteTenant): Promise<void> {
  if (nobodys.includes(tenant)) throw new Failure('invalid', `'${tenant}' is no tenant.`)
  const isKnown = (await listTenants(database, tenant)).length > 0 || (await rowsLeft(database, tenant)).length > 0
  if (!isKnown) throw new Failure('notFound', `There is no tenant '${tenant}'.`)
  const held = await Promise.all(services.map(({ holds }) => holds?.(database, tenant, clock.now()) ?? []))
  const counting = held.flat().filter(({ isFinal }) => isFinal || !evenLocked)
  if (counting.length === 0) return
  const advice = counting.some(({ isFinal }) => isFinal)
    ? 'Nobody can break that lock.'
    : 'Add --even-locked to delete it all the same.'
  throw new Failure('conflict', `Of ${tenant}, ${counting.map(({ reason }) => reason).join('; ')}. ${advice}`)
}
