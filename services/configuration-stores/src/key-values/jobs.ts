import { job } from '@icosa/kernel'
import * as snapshots from '../snapshots/store.ts'
import * as store from './store.ts'

const dayMs = 24 * 3_600_000
const batch = 5_000

/** Deletes revisions beyond their store's retention, and expired archived snapshots. */
export const forgetPast = job<object>('forgetPast', {
  async run(_, { transaction, clock }) {
    const now = clock.now().getTime()
    const before = { Free: new Date(now - 7 * dayMs), Standard: new Date(now - 30 * dayMs) }
    while ((await transaction((db) => store.prune(db, before, batch))) === batch);
    while ((await transaction((db) => snapshots.removeExpired(db, clock.now(), batch))) === batch);
  },
})
