import { job } from '@icosa/kernel'
import type { Owner } from '../jobs/store.ts'
import * as jobs from '../jobs/store.ts'
import * as store from './store.ts'

const batch = 1_000

/** Enables or disables the jobs of a large collection, a thousand at a time. */
// Its name is in queues already.
export const enableJobs = job<Owner>('tellJobs', {
  retries: 10,
  async run(owner, { transaction, clock }) {
    // Asked each time anew: the owner may have changed it again.
    const turn = () =>
      transaction(async (db) => {
        const row = await store.lockById(db, owner)
        return row ? jobs.setCollectionEnabled(db, owner, row.state === 'Enabled', clock.now(), batch) : 0
      })
    while ((await turn()) === batch);
  },
})

/** Deletes the jobs of a collection that is gone, a thousand at a time. */
export const removeJobs = job<Owner>('removeJobs', {
  retries: 10,
  async run(owner, { transaction }) {
    while ((await transaction((db) => jobs.removeSome(db, owner, batch))) === batch);
  },
})
