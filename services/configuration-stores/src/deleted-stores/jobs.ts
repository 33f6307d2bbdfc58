import { type AnyJob, type Job, job } from '@icosa/kernel'
import type { StoreWork } from '../stores/jobs.ts'
import * as store from './store.ts'

const batch = 100

/** Purges expired deleted stores, each in a job of its tenant. */
export function purgeExpiredJob(purgeStore: AnyJob<StoreWork>): Job<object> {
  return job<object>('purgeExpired', {
    async run(_, { transaction, clock }) {
      const purgeBatch = () =>
        transaction(async (db, jobs) => {
          const expired = await store.claimExpired(db, clock.now(), batch)
          for (const { tenant, id } of expired) await jobs.enqueue(purgeStore, { tenant, id }, { tenant })
          return expired.length
        })
      while ((await purgeBatch()) === batch);
    },
  })
}
