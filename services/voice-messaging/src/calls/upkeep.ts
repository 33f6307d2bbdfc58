import { type AnyJob, type Job, job } from '@icosa/kernel'
import type { Delivery } from '../events/deliver.ts'
import * as events from '../events/store.ts'
import { newShift, type Shift } from './shift.ts'
import * as store from './store.ts'

export const lookEveryMs = 10_000
export const tidyEveryMs = 3_600_000

/** Looks whether calls wait that the node which was told of them had no room for. Another one may have. */
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
export function tidyJob(deliver: Job<Delivery>): Job<object> {
  return job<object>('tidy', {
    async run(_, { transaction }) {
      await transaction(async (db, jobs) => {
        for (const charge of await events.takeNeglected(db, batch))
          await jobs.enqueue(deliver, { ...charge, failures: 0 }, { tenant: charge.tenant })
      })
    },
  })
}
