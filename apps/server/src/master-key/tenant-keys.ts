import { setTimeout as sleep } from 'node:timers/promises'
import { type CellVault, type Database, Failure, type SealedColumn } from '@icosa/kernel'
import { tenantTables } from '@icosa/platform/tenants'
import { dataKeys, tenantKeys, tenantKeysMs } from '@icosa/tokens'
import { type Progress, type Resealed, type Resealing, resealAll } from './reseal.ts'
import { type Retry, retryDuringOutage } from './retry.ts'
import * as store from './tenant-keys-store.ts'

export interface Rekeying {
  readonly database: Database
  readonly vault: CellVault
  readonly sealed: readonly SealedColumn[]
  /** How long a node may take to learn a new key of a tenant. */
  readonly learnMs?: number
  readonly onProgress: (progress: Progress) => void
  readonly onRemark: (line: string) => void
}

/** Longer than the nodes' caches, so that every node knows a key before any uses it. */
const aheadOf = (learnMs: number) => 3 * learnMs
const tenantsPerBatch = 500

async function waitFor(ms: number, onRemark: (line: string) => void): Promise<void> {
  if (ms > 0) onRemark(`Waiting ${Math.ceil(ms / 1000)} s, until every node knows the new keys.`)
  await sleep(ms)
}

/** Gives a tenant a new key, and seals its secrets under it. Can be interrupted, and repeated: the earlier keys stay. */
export async function rekeyTenant(rekeying: Rekeying, tenant: string, isStolen = false): Promise<Resealed> {
  const { database, vault, onRemark, learnMs = tenantKeysMs } = rekeying
  const aheadMs = aheadOf(learnMs)
  if (!(await tenantKeys.hasBegun(database)))
    throw new Failure('conflict', 'Run `icosa tenants rekey --all` first, once all nodes are upgraded.')
  await retryDuringOutage(onRemark)(() =>
    database.transaction(async (db) => {
      await tenantKeys.ensure(db, vault, tenant)
      await tenantKeys.add(db, vault, { tenant, purpose: 'seal', aheadMs })
      if (isStolen) await tenantKeys.add(db, vault, { tenant, purpose: 'derive', aheadMs })
    }, tenant),
  )
  await waitFor(aheadMs + learnMs, onRemark)
  return sealUnderOwnKey(rekeying, tenant)
}

/** Seals the secrets of a tenant, or of all, under the newest keys of the tenants. */
export async function sealUnderOwnKey(rekeying: Rekeying, tenant?: string): Promise<Resealed> {
  const { database, vault, sealed, onProgress, onRemark } = rekeying
  const retry = retryDuringOutage(onRemark)
  const columns = (await dataKeys.existing(database, sealed)).filter(({ isOfCell }) => !isOfCell)
  const work: Resealing = { database, retry, vault, target: await store.activeDataKey(database), tenant, onProgress }
  return resealAll(work, columns)
}

/**
 * Lets tenants have keys of their own, if they do not yet, and seals all their secrets under these: after an upgrade of all
 * nodes. Keys derived for a tenant stay as they are.
 */
export async function rekeyAll(rekeying: Rekeying): Promise<Resealed> {
  const { database, vault, sealed, onRemark, learnMs = tenantKeysMs } = rekeying
  const columns = (await dataKeys.existing(database, sealed)).filter(({ isOfCell }) => !isOfCell)
  const hasBegun = await database.transaction(async (db) => {
    if (!(await tenantKeys.begin(db, aheadOf(learnMs)))) return false
    await tenantKeys.inherit(db, await store.tenantsIn(db, await tenantTables(db)))
    return true
  })
  if (hasBegun) await waitFor(aheadOf(learnMs) + learnMs, onRemark)
  const sealing = columns.map(({ table }) => ({ table, tenant: 'tenant' }))
  for (const tenant of await store.tenantsIn(database, sealing)) await vault.of(tenant)
  return sealUnderOwnKey(rekeying)
}

export interface Replacing {
  readonly database: Database
  readonly retry: Retry
  readonly vault: CellVault
  /** The data key that seals the new keys. A tenant whose newest key is sealed under it has been given that already. */
  readonly dataKey: string
  readonly learnMs: number
  readonly onRemark: (line: string) => void
}

/** Gives every tenant new keys, since those sealed under a stolen one may be known. */
export async function replaceTenantKeys(replacing: Replacing): Promise<void> {
  const { database, retry, vault, dataKey, learnMs, onRemark } = replacing
  const aheadMs = aheadOf(learnMs)
  let count = 0
  for (;;) {
    const tenants = await retry(() => store.withOlderKeys(database, dataKey, tenantsPerBatch))
    if (tenants.length === 0) break
    await retry(() =>
      database.transaction(async (db) => {
        for (const tenant of tenants)
          for (const purpose of ['derive', 'seal'] as const)
            await tenantKeys.add(db, vault, { tenant, purpose, aheadMs })
      }),
    )
    count += tenants.length
    onRemark(`${count} tenants have new keys.`)
  }
  if (count > 0) await waitFor(aheadMs + learnMs, onRemark)
}
