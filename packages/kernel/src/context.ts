import type { Logger } from 'pino'
import type { Allows } from './auth/permissions.ts'
import type { Blobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Db } from './db/db.ts'
import type { GuardedFetch } from './fetch/fetch.ts'
import type { JobsOf } from './jobs/jobs.ts'
import type { OperationsOf } from './jobs/operations.ts'

/** Who calls: a credential of a tenant, with what it allows. */
export interface Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Allows
}

/** All that a handler can reach. `db` is the open transaction where the operation writes. */
export interface Context {
  readonly db: Db
  readonly caller: Caller
  readonly clock: Clock
  readonly jobs: JobsOf
  readonly operations: OperationsOf
  readonly blobs: Blobs
  readonly log: Logger
  readonly signal: AbortSignal
}

/** All that a job can reach. Effects outside the database happen here. */
export interface JobContext {
  readonly tenant: string
  /** Reads. Writes go through `transaction` or the function that the job returns. */
  readonly db: Db
  /** Commits only while this worker still holds the job. */
  transaction<T>(work: (db: Db, jobs: JobsOf) => Promise<T>): Promise<T>
  /** How far the operation is, from 0 to 1. */
  progress(fraction: number): Promise<void>
  readonly clock: Clock
  readonly blobs: Blobs
  readonly fetch: GuardedFetch
  readonly log: Logger
  /** Aborts when the operation is cancelled or the worker has lost the job. */
  readonly signal: AbortSignal
}
