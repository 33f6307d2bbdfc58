import type { Logger } from 'pino'
import type { CellVault, Vault } from '../auth/vault.ts'
import type { Blobs, OwnBlobs } from '../blobs.ts'
import type { Clock } from '../clock/clock.ts'
import type { Db, ReadingDb } from '../db/db.ts'
import type { GuardedFetch } from '../fetch.ts'
import type { ResourcesOf } from '../ports/resources.ts'
import type { TraceHeaders } from '../telemetry/telemetry.ts'

/** Writes for a service and tenant, in one transaction. */
export type Work<T> = (db: Db, jobs: JobsOf, resources: ResourcesOf) => Promise<T>

/**
 * Last writes of a job. They commit together with its completion, so they happen exactly once, however often the job
 * was started. The return value is the result of the job's operation, if any.
 */
export type Finish = Work<unknown>

/**
 * Priority classes of jobs. Each lane has its own slots on every worker, so that lanes never wait for each other.
 * `punctual` is for short, time-critical work: firing due jobs, watching leases. Jobs that call other systems belong in
 * `default`.
 */
export const lanes = ['default', 'punctual'] as const
export type Lane = (typeof lanes)[number]

/** Durable work with at-least-once execution: effects of `run` outside the database must be idempotent. */
export interface Job<Input = never, Runtime = unknown> {
  readonly name: string
  /** Retries after an error, with exponential backoff by the platform's clock. */
  readonly retries: number
  readonly lane: Lane
  readonly run: (input: Input, context: JobContext<Runtime>) => Promise<Finish | undefined> | Promise<void>
  /** Records a permanent failure. */
  readonly failed?: (input: Input, db: Db, error: Error, around: FailedJob) => Promise<void>
}

export interface FailedJob {
  readonly tenant: string
  readonly clock: Clock
  readonly jobs: JobsOf
}

/** Everything available to a job. Effects outside the database belong here. */
export interface JobContext<Runtime = unknown> {
  readonly tenant: string
  /** The service's runtime on this node: the result of its `start`. */
  readonly runtime: Runtime
  /** Read-only. Writes go through `transaction` or the returned function. */
  readonly db: ReadingDb
  /** Commits only while this worker holds the job's lease. */
  transaction<T>(work: Work<T>): Promise<T>
  /** Sets the progress of the operation, from 0 to 1. */
  progress(fraction: number): Promise<void>
  readonly clock: Clock
  /** `of` is for jobs that work for several tenants. */
  readonly blobs: OwnBlobs & { of(tenant: string): Blobs }
  readonly fetch: GuardedFetch
  /** Loads the keys of the tenant. */
  readonly tenantVault: () => Promise<Vault>
  /** `of` is for jobs that work for several tenants. */
  readonly cellVault: CellVault
  readonly log: Logger
  /**
   * Aborts within a second after the job or its operation was cancelled, or the lease was lost, to another worker or by
   * shutdown. Pass it on to threads, processes and requests.
   */
  readonly signal: AbortSignal
}

export interface JobOptions<Input, Runtime = unknown>
  extends Partial<Pick<Job<Input, Runtime>, 'retries' | 'lane' | 'failed'>> {
  readonly run: Job<Input, Runtime>['run']
}

export function job<Input, Runtime = unknown>(name: string, options: JobOptions<Input, Runtime>): Job<Input, Runtime> {
  return { name, retries: 3, lane: 'default', ...options }
}

/** A queue entry. */
export interface Payload {
  readonly job: string
  /** Tenant to which worker slots are charged. */
  readonly tenant: string
  /** Defaults to `default`. */
  readonly lane?: Lane
  readonly input: unknown
  readonly key?: string
  readonly operation?: string
  /** Previous attempts that ended in an error. */
  readonly failures?: number
  /** Trace context. */
  readonly trace?: TraceHeaders
}

export interface EnqueueOptions {
  readonly at?: Date | undefined
  /**
   * Deduplication key: of the jobs with one name, tenant and key, at most one is waiting. Another one is not enqueued,
   * and the first keeps its input; it will see everything written by the second one's transaction. A running job does
   * not count. Of timers (`at`) with one key, the earliest remains.
   */
  readonly key?: string | undefined
  /** For jobs that work for several tenants: the tenant to charge. */
  readonly tenant?: string | undefined
}

/** A job to be enqueued, whatever its service's runtime. */
export type AnyJob<Input> = Job<Input, never>

/** A handler's jobs port: jobs are enqueued if and only if its transaction commits. */
export interface JobsOf {
  /** Returns false if a job with this key is already waiting. */
  enqueue<Input>(job: AnyJob<Input>, input: NoInfer<Input>, options?: EnqueueOptions): Promise<boolean>
  /** Enqueues in a few statements. Returns the number of new jobs. */
  enqueueAll<Input>(job: AnyJob<Input>, all: readonly NewJob<NoInfer<Input>>[]): Promise<number>
  /**
   * Cancels all jobs with a key. Waiting ones are deleted; running ones cannot write once this commits, and their
   * signal aborts within a second, on any node. Returns false if there was none.
   */
  cancel(job: AnyJob<never>, key: string, options?: Pick<EnqueueOptions, 'tenant'>): Promise<boolean>
}

export interface NewJob<Input> extends EnqueueOptions {
  readonly input: Input
}

export function payloadOf<Input>({ name, lane }: AnyJob<Input>, tenant: string, input: Input): Payload {
  return { job: name, tenant, ...(lane !== 'default' && { lane }), input }
}

/** Exponential backoff after the nth failure. */
export function pauseMs(failures: number): number {
  return Math.min(2 ** failures * 1_000, 3_600_000)
}
