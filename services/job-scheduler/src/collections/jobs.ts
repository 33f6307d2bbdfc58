import { job } from '@icosa/kernel'
import type { Owner } from '../jobs/store.ts'
import * as jobs from '../jobs/store.ts'
import * as store from './store.ts'

const batch = 1_000

/** Enables or disables the jobs of a large collection, in batches. */
// The name is persisted in job queues.
export const enableJobs = job<Owner>('tellJobs', {
  retries: 10,
  async run(owner, { transaction, clock }) {
    // Reads the state for each batch, since the owner may change it again.
    const updateBatch = () =>
      transaction(async (db) => {
        const row = await store.lockById(db, owner)
        return row ? jobs.setCollectionEnabled(db, owner, row.state === 'Enabled', clock.now(), batch) : 0
      })
    while ((await updateBatch()) === batch);
  },
})

/** Deletes the jobs of a deleted collection, in batches. */
export const removeJobs = job<Owner>('removeJobs', {
  retries: 10,
  async run(owner, { transaction }) {
    while ((await transaction((db) => jobs.removeBatch(db, owner, batch))) === batch);
  },
})
