import { implement, ok } from '@icosa/kernel'
import { jobs as contract } from './contract.ts'
import { openOperations, schedules, timersOf } from './store.ts'

export const jobs = implement(contract, {
  async listJobs({ query: { limit } }, { db, caller: { tenant } }) {
    return ok({
      operations: await openOperations(db, tenant, limit),
      timers: await timersOf(db, tenant, limit),
      schedules: await schedules(db),
    })
  },
})
