import { job } from '@icosa/kernel'
import { addChanges, changedTenants } from './store.ts'

const batch = 5_000

/** Enqueues a job for each tenant with outstanding changes. */
export const tallyAll = job<object>('tallyAll', {
  async run(_, { db }) {
    const tenants = await changedTenants(db)
    return async (_writing, jobs) => {
      for (const tenant of tenants) await jobs.enqueue(tally, {}, { tenant, key: tenant })
    }
  },
})

/** Adds outstanding changes to the tallies; until then, readers add them. */
export const tally = job<object>('tally', {
  async run(_, { transaction, tenant, signal }) {
    while (!signal.aborted) if ((await transaction((db) => addChanges(db, tenant, batch))) < batch) return
  },
})
