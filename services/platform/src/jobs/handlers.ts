import { implement, ok } from '@icosa/kernel'
import { jobs as contract } from './contract.ts'
import { openOperations, queuedJobs, schedules, timersOf } from './store.ts'

export const jobs = implement(contract, {
  async listJobs({ query: { limit } }, { db, caller: { tenant } }) {
    return ok({
      jobs: await queuedJobs(db, tenant, limit),
      operations: await openOperations(db, tenant, limit),
      timers: await timersOf(db, tenant, limit),
      schedules: await schedules(db),
    })
  },
})
