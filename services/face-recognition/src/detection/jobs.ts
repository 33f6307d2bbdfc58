import { job } from '@icosa/kernel'
import { removeExpired } from './store.ts'

const batch = 1_000
export const forgetEveryMs = 60_000

/** Deletes expired faces, which reads already ignore. */
export const forgetExpired = job<object>('forgetExpired', {
  async run(_, { transaction, clock, signal }) {
    while (!signal.aborted && (await transaction((db) => removeExpired(db, clock.now(), batch))) === batch);
  },
})
