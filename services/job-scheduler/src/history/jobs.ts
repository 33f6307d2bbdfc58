import { job } from '@icosa/kernel'
import { forgetOld } from './store.ts'

const batch = 5_000

/** Forgets what is older than a history reaches. */
export const forgetHistory = job<object>('forgetHistory', {
  async run(_, { transaction, clock }) {
    while ((await transaction((db) => forgetOld(db, clock.now(), batch))) === batch);
  },
})
