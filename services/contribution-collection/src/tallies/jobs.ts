import { job } from '@icosa/kernel'
import { addChanges, changedTenants } from './store.ts'

const batch = 5_000

/** Finds whose tallies are to be brought up to date. */
export const tallyAll = job<object>('tallyAll', {
  async run(_, { db }) {
    const tenants = await changedTenants(db)
    return async (_writing, jobs) => {
      for (const tenant of tenants) await jobs.enqueue(tally, {}, { tenant, key: tenant })
    }
  },
})

/** What has changed is counted; until then whoever reads counts it. */
export const tally = job<object>('tally', {
  async run(_, { transaction, tenant, signal }) {
    while (!signal.aborted) if ((await transaction((db) => addChanges(db, tenant, batch))) < batch) return
  },
})
