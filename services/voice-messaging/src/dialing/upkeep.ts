import { type AnyJob, type Job, job } from '@icosa/kernel'
import { newShift, type Shift } from '../calls/shift.ts'
import * as store from '../calls/store.ts'
import type { Delivery } from '../events/deliver.ts'
import * as events from '../events/store.ts'

export const lookEveryMs = 10_000
export const tidyEveryMs = 3_600_000

/** Looks for calls that are due and that the node which was woken for them had no room for. Another one may have. */
export function lookJob(dial: AnyJob<Shift>): Job<object> {
  return job<object>('look', {
    lane: 'punctual',
    retries: 0, // the next one is seconds away
    async run(_, { db, clock }) {
      if (await store.isAnyDue(db, clock.now())) return (_db, jobs) => jobs.enqueue(dial, newShift())
    },
  })
}

const batch = 1_000

/** Goes on with deliveries whose jobs died for good. */
export function tidyJob(deliver: AnyJob<Delivery>): Job<object> {
  return job<object>('tidy', {
    async run(_, { transaction }) {
      await transaction(async (db, jobs) => {
        for (const assignment of await events.assignAbandoned(db, batch))
          await jobs.enqueue(deliver, { ...assignment, failures: 0 }, { tenant: assignment.tenant })
      })
    },
  })
}
