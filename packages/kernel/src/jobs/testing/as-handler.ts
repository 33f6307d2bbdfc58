import type { TestApp } from '@icosa/testing'
import type { Db } from '../../db/db.ts'
import type { BoundJobs } from '../queue.ts'
import { transactionOf } from '../transaction.ts'

/** Runs `work` as a handler of ada's, on any node. */
export function asHandler<T>({ platform }: TestApp, work: (jobs: BoundJobs, db: Db) => Promise<T>): Promise<T> {
  return transactionOf(platform, 'example', 'ada', (db, jobs) => work(jobs, db))
}
