import type { Db } from '../db/db.ts'
import type { Platform } from '../platform.ts'
import { type ResourcesOf, resourcesIn } from '../ports/resources.ts'
import { type BoundJobs, jobsIn } from './queue.ts'

export type BoundWork<T> = (db: Db, jobs: BoundJobs, resources: ResourcesOf) => Promise<T>

/** Writes for a service and a tenant, then wakes workers. */
export async function transactionOf<T>(
  { database, queue, clock }: Pick<Platform, 'database' | 'queue' | 'clock'>,
  service: string,
  tenant: string,
  work: BoundWork<T>,
): Promise<T> {
  let touched: Iterable<string> = []
  const result = await database.of(tenant).transaction((db) => {
    const jobs = jobsIn(queue, db, service, tenant)
    touched = jobs.touched
    return work(db, jobs, resourcesIn(db, clock, service, tenant, jobs.touched))
  }, tenant)
  queue.wake(touched)
  return result
}
