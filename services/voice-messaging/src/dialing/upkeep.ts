import { type AnyJob, type Job, job } from '@icosa/kernel'
import { newShift, type Shift } from '../calls/shift.ts'
import * as store from '../calls/store.ts'
import type { Delivery } from '../events/deliver.ts'
import * as events from '../events/store.ts'

export const lookEveryMs = 10_000
export const tidyEveryMs = 3_600_000

/** Finds due calls for which the notified node had no capacity. */
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

/** Resumes deliveries whose jobs failed for good. */
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
