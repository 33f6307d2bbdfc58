import type { TestApp } from '@icosa/testing'
import type { Db } from '../../db/db.ts'
import { type BoundJobs, jobsIn } from '../queue.ts'

/** Runs `work` as a handler of ada's does, on any node. */
export async function asHandler<T>({ platform }: TestApp, work: (jobs: BoundJobs, db: Db) => Promise<T>): Promise<T> {
  const { database, queue } = platform
  const [result, touched] = await database.transaction(async (db) => {
    const jobs = jobsIn(queue, db, 'example', 'ada')
    return [await work(jobs, db), jobs.touched] as const
  })
  queue.wake(touched)
  return result
}
