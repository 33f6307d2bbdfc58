import type { Logger } from 'pino'
import type { Vault } from '../auth/vault.ts'
import type { Blobs, OwnBlobs } from '../blobs.ts'
import type { Clock } from '../clock/clock.ts'
import type { Db, ReadingDb } from '../db/db.ts'
import type { GuardedFetch } from '../fetch.ts'
import type { ResourcesOf } from '../resources.ts'
import type { TraceHeaders } from '../telemetry/telemetry.ts'

/** Writes of a service for a tenant, in one transaction. */
export type Work<T> = (db: Db, jobs: JobsOf, resources: ResourcesOf) => Promise<T>

/**
 * The last writes of a job. They commit together with its completion, so they happen once, however often the job
 * was started. What it returns is the result of the operation, if the job belongs to one.
 */
export type Finish = Work<unknown>

/**
 * Where jobs wait. Each lane has slots of its own on every worker, so those of one never wait for those of another.
 * `punctual` is for what must be on time and is soon done: firing what is due, looking after leases. What talks to others
 * goes into the other one.
 */
export const lanes = ['default', 'punctual'] as const
export type Lane = (typeof lanes)[number]

/** Durable work. `run` may be started again after a crash: its effects outside the database must bear that. */
export interface Job<Input = never, Held = unknown> {
  readonly name: string
  /** How often an error is retried, with growing pauses by the platform's clock. */
  readonly retries: number
  readonly lane: Lane
  readonly run: (input: Input, context: JobContext<Held>) => Promise<Finish | undefined> | Promise<void>
  /** Writes what a job leaves behind that has failed for good. */
  readonly failed?: (input: Input, db: Db, error: Error, around: FailedJob) => Promise<void>
}

/** Whose job has failed, when, and what to enqueue because of it. */
export interface FailedJob {
  readonly tenant: string
  readonly clock: Clock
  readonly jobs: JobsOf
}

/** All that a job can reach. Effects outside the database happen here. */
export interface JobContext<Held = unknown> {
  readonly tenant: string
  /** What its service has open on this node: the answer of its `start`. */
  readonly held: Held
  /** Reads. Writes go through `transaction` or the function that the job returns. */
  readonly db: ReadingDb
  /** Commits only while this worker still holds the job. */
  transaction<T>(work: Work<T>): Promise<T>
  /** How far the operation is, from 0 to 1. */
  progress(fraction: number): Promise<void>
  readonly clock: Clock
  /** `of`: for a job that does the work of several tenants. */
  readonly blobs: OwnBlobs & { of(tenant: string): Blobs }
  readonly fetch: GuardedFetch
  readonly vault: Vault
  readonly log: Logger
  /**
   * Aborts within a second after the job or its operation was cancelled, or the claim was lost: to another worker, or
   * because this one must stop. To be handed to threads, processes and requests.
   */
  readonly signal: AbortSignal
}

export interface JobOptions<Input, Held = unknown>
  extends Partial<Pick<Job<Input, Held>, 'retries' | 'lane' | 'failed'>> {
  readonly run: Job<Input, Held>['run']
}

export function job<Input, Held = unknown>(name: string, options: JobOptions<Input, Held>): Job<Input, Held> {
  return { name, retries: 3, lane: 'default', ...options }
}

/** What waits in a queue. */
export interface Payload {
  readonly job: string
  /** Whose share of the workers it takes. */
  readonly tenant: string
  /** The default one if not given. */
  readonly lane?: Lane
  readonly input: unknown
  readonly key?: string
  readonly operation?: string
  /** How many attempts ended in an error before this one. */
  readonly failures?: number
  /** Of what it is a part. */
  readonly trace?: TraceHeaders
}

export interface EnqueueOptions {
  readonly at?: Date | undefined
  /**
   * At most one job of its name, tenant and key waits that has not begun: while it does, another one is not enqueued, and
   * the input of the first stays. The first will see what the second one's transaction has written. Once it runs, the next
   * one may wait. Of those that wait for a time (`at`) one does, too: that with the earlier time.
   */
  readonly key?: string | undefined
  /** For whom, where a job does the work of several tenants: each must wait for its own work only. */
  readonly tenant?: string | undefined
}

/** A job to be enqueued, whatever its service holds. */
export type AnyJob<Input> = Job<Input, never>

/** The jobs port of a handler: what it enqueues is there if and only if its transaction commits. */
export interface JobsOf {
  /** False if one with its key waits already. */
  enqueue<Input>(job: AnyJob<Input>, input: NoInfer<Input>, options?: EnqueueOptions): Promise<boolean>
  /** Many at once, in a few statements. Answers how many are new. */
  enqueueAll<Input>(job: AnyJob<Input>, all: readonly NewJob<NoInfer<Input>>[]): Promise<number>
  /**
   * Ends all jobs with a key: those that wait are gone, those that run have their signal aborted within a second of the
   * commit, wherever they run, and can write nothing from the commit on. False if there was none.
   */
  cancel(job: AnyJob<never>, key: string, options?: Pick<EnqueueOptions, 'tenant'>): Promise<boolean>
}

export interface NewJob<Input> extends EnqueueOptions {
  readonly input: Input
}

/** A job as it waits. */
export function payloadOf<Input>({ name, lane }: AnyJob<Input>, tenant: string, input: Input): Payload {
  return { job: name, tenant, ...(lane !== 'default' && { lane }), input }
}

/** How long after its nth failure a job is tried again. */
export function pauseMs(failures: number): number {
  return Math.min(2 ** failures * 1_000, 3_600_000)
}
