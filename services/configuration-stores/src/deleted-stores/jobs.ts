import { type AnyJob, type Job, job } from '@icosa/kernel'
import type { StoreWork } from '../stores/jobs.ts'
import * as store from './store.ts'

const batch = 100

/** Purges the deleted stores whose time is over, each by a job of its tenant. */
export function purgeExpiredJob(purgeStore: AnyJob<StoreWork>): Job<object> {
  return job<object>('purgeExpired', {
    async run(_, { transaction, clock }) {
      const purgeSome = () =>
        transaction(async (db, jobs) => {
          const taken = await store.takeExpired(db, clock.now(), batch)
          for (const { tenant, id } of taken) await jobs.enqueue(purgeStore, { tenant, id }, { tenant })
          return taken.length
        })
      while ((await purgeSome()) === batch);
    },
  })
}
