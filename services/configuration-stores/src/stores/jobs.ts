import { job } from '@icosa/kernel'
import { fourKeys } from '../access-keys/secrets.ts'
import * as accessKeys from '../access-keys/store.ts'
import * as deletedStores from '../deleted-stores/store.ts'
import { converge } from '../encryption/converge.ts'
import * as keyValues from '../key-values/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import * as snapshots from '../snapshots/store.ts'
import * as store from './store.ts'
import { storeId, toStore } from './view.ts'

export interface StoreWork {
  readonly tenant: string
  readonly id: string
}

const batch = 5_000
const dayMs = 24 * 3_600_000

export function storeJobs(settings: ConfigurationStoresSettings) {
  /** Generates the access keys of a new store, which make it available. */
  const createStore = job<StoreWork, ServiceRuntime>('createStore', {
    retries: 6, // an HSM may be unavailable for two minutes
    async run(work, context) {
      const { clock } = context
      const vault = await context.tenantVault()
      await converge(work, context)
      return async (db) => {
        const row = await store.lockById(db, work.tenant, work.id)
        if (row?.state !== 'Creating') return row && toStore(row, settings)
        const hasKeys = (await accessKeys.list(db, work)).length > 0 // if a later operation failed
        if (!hasKeys) await accessKeys.insert(db, work, fourKeys(vault, work.id), clock.now())
        await store.settleEncryption(db, work)
        return toStore(await store.setState(db, work, 'Succeeded'), settings)
      }
    },
    failed: (work, db) => fail(work, 'Creating', db),
  })

  const updateStore = job<StoreWork, ServiceRuntime>('updateStore', {
    retries: 6,
    async run(work, context) {
      await converge(work, context)
      return async (db) => {
        const row = await store.lockById(db, work.tenant, work.id)
        if (row?.state !== 'Updating') return row && toStore(row, settings)
        await store.settleEncryption(db, work)
        return toStore(await store.setState(db, work, 'Succeeded'), settings)
      }
    },
    failed: (work, db) => fail(work, 'Updating', db),
  })

  /** Soft-deletes a store. */
  const deleteStore = job<StoreWork>('deleteStore', {
    async run(work, { clock }) {
      return async (db, _, resources) => {
        const row = await store.lockById(db, work.tenant, work.id)
        if (row?.state !== 'Deleting') return
        await resources.remove(storeId(row))
        const now = clock.now()
        await deletedStores.softDelete(db, work, now, new Date(now.getTime() + (row.retentionDays ?? 0) * dayMs))
      }
    },
    failed: (work, db) => fail(work, 'Deleting', db),
  })

  /** Deletes rows in batches, to keep transactions short, and the store itself last. */
  const purgeStore = job<StoreWork>('purgeStore', {
    retries: 10,
    async run(work, { transaction }) {
      while ((await transaction((db) => snapshots.removeItems(db, work, batch))) === batch);
      while ((await transaction((db) => keyValues.removeBatch(db, work, batch))) === batch);
      return async (db, _, resources) => {
        const row = await store.lockById(db, work.tenant, work.id)
        if (!row) return
        await resources.remove(storeId(row))
        await store.remove(db, work)
      }
    },
    failed: (work, db) => fail(work, 'Deleting', db),
  })

  return { createStore, updateStore, deleteStore, purgeStore }
}
export type StoreJobs = ReturnType<typeof storeJobs>

async function fail(
  work: StoreWork,
  from: store.Row['state'],
  db: Parameters<typeof store.setState>[0],
): Promise<void> {
  const row = await store.lockById(db, work.tenant, work.id)
  if (row?.state === from) await store.setState(db, work, 'Failed')
}
