import { setTimeout as sleep } from 'node:timers/promises'
import { ownBlobs } from '../blobs.ts'
import { isOutage, isUnreachable } from '../db/connection/unavailable.ts'
import { isLeaving } from '../db/fence/states.ts'
import { Failure, isRefusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import type { StartedService } from '../service.ts'
import { type Claim, renewClaims } from './claim.ts'
import { type Finish, type Job, type JobContext, pauseMs, type Work } from './jobs.ts'
import { awaitHolders } from './keys.ts'
import { begin, end, type OperationError, type OperationKey, report } from './operations.ts'
import { type BoundWork, transactionOf } from './transaction.ts'

export interface Running {
  readonly claim: Claim
  readonly operation: OperationKey | undefined
  readonly ended: Promise<void>
  abort(reason: 'lost' | 'cancelled'): void
}

/** The worker has lost its lease: nothing it does counts any more. */
class LostClaim extends Error {}

/** The operation was cancelled while it ran. */
class Cancelled extends Error {}

/** A job that no attempt can complete. */
class Unworkable extends Failure {
  constructor(message: string) {
    super('internal', message)
  }
}

/** A job that its workers did not survive so often is not run again. Errors are counted in the payload. */
const maxAttempts = 10
/** Pause during an outage such as a full disk. An expiring lease would take longer, and count as a crash. */
const outagePauseMs = 5_000
/** How long a job that has done its work tries to store that while the database is away, and about how often. */
const storingMs = 60_000
const storingPauseMs = 1_000

/** Runs a claimed job to its end. Never rejects. */
export function runJob(platform: Platform, service: StartedService, claim: Claim): Running {
  const { queue, clock, log, metrics, traces } = platform
  const { tenant, operation: operationId, input, key, failures = 0 } = claim.payload
  const database = platform.database.of(tenant)
  const operation = operationId === undefined ? undefined : { tenant, id: operationId }
  const job = service.jobs?.find(({ name }) => name === claim.payload.job) as Job<unknown> | undefined
  const abortion = new AbortController()
  let isLost = false // the signal's reason tells only what came first
  function abort(reason: 'lost' | 'cancelled'): void {
    isLost ||= reason === 'lost'
    abortion.abort(reason)
  }
  const blobsOf = (owner: string) => ownBlobs(platform.blobs, service.name, owner)
  const name = `${service.name}:${claim.payload.job}`
  const trace = traces.begin('job', claim.payload.trace ?? {})
  const childLog = log.child({ job: name, tenant, operation: operationId, traceId: trace.traceId })

  /** Runs a transaction that commits only while the lease is held. */
  function fenced<T>(work: BoundWork<T>, { completes }: { readonly completes: boolean }): Promise<T> {
    return transactionOf(platform, service.name, tenant, async (db, jobs, resources) => {
      const value = await work(db, jobs, resources)
      if (isLost) throw new LostClaim() // and its resources may be closed by now
      const isHeld = completes ? await queue.complete(db, claim) : (await renewClaims(db, [claim])).has(claim.id)
      if (!isHeld) throw new LostClaim()
      return value
    })
  }

  let storingUntil: number | undefined

  /** Commits the last writes with the job's completion. An outage of the database must not cost the work of an hour. */
  async function complete(work: BoundWork<void>): Promise<void> {
    for (;;) {
      try {
        return await fenced(work, { completes: true })
      } catch (error) {
        storingUntil ??= performance.now() + storingMs
        if (!isUnreachable(error) || isLost || performance.now() >= storingUntil) throw error
        platform.database.dropIdle()
        await sleep(storingPauseMs * (0.5 + Math.random()), undefined, { ref: false })
      }
    }
  }

  async function execute(): Promise<void> {
    if (operation && !(await begin(database, clock, operation))) return complete(async () => {})
    if (!job) throw new Unworkable(`The service has no job '${claim.payload.job}'.`)
    if (claim.attempt > maxAttempts) throw new Unworkable('The job was abandoned: its workers died repeatedly.')
    if (key !== undefined) await awaitHolders(database, claim)
    const run = async () => job.run(input, context())
    const fault = platform.faultInjector?.(`${service.name}:${job.name}`)
    const finish = await (fault?.job(run, () => abort('lost')) ?? run())
    await complete(async (db, ...bound) => {
      const result = await (finish as Finish | undefined)?.(db, ...bound)
      if (operation && !(await end(db, clock, operation, { status: 'succeeded', result }))) throw new Cancelled()
    })
  }

  async function afterError(error: Error): Promise<void> {
    if (error instanceof LostClaim || isLost) throw new LostClaim()
    if (isLeaving(error)) throw error // the other cell has the job, or this one claims it again
    if (isOutage(error)) return postpone(error)
    if (error instanceof Cancelled || abortion.signal.reason === 'cancelled') return complete(async () => {})
    const permanent = error instanceof Unworkable || isRefusal(error) || failures >= (job?.retries ?? 0)
    childLog[permanent ? 'error' : 'warn']({ err: error, failures }, permanent ? 'job failed' : 'job will be retried')
    await complete(async (db, jobs) => {
      if (!permanent) {
        const at = new Date(clock.now().getTime() + pauseMs(failures))
        return jobs.send({ ...claim.payload, failures: failures + 1 }, at)
      }
      await job?.failed?.(input, db, error, { tenant, clock, jobs })
      if (operation) await end(db, clock, operation, { status: 'failed', error: toOperationError(error) })
    })
  }

  /** Does not count as a failure. If the database stays down, the job runs again once its lease expires. */
  async function postpone(error: Error): Promise<void> {
    const at = new Date(clock.now().getTime() + outagePauseMs)
    await complete((_, jobs) => jobs.send(claim.payload, at))
    childLog.warn({ err: error }, 'job postponed: a dependency is unavailable')
  }

  function context(): JobContext {
    return {
      tenant,
      runtime: service.runtime,
      db: database.reading,
      transaction: <T>(work: Work<T>) => fenced(work, { completes: false }),
      progress: async (fraction) => void (operation && (await report(database, clock, operation, fraction))),
      clock,
      blobs: { ...blobsOf(tenant), of: blobsOf },
      fetch: platform.fetch,
      tenantVault: () => platform.cellVault.of(tenant),
      cellVault: platform.cellVault,
      log: childLog,
      signal: abortion.signal,
    }
  }

  const began = performance.now()
  const ended = traces
    .within(trace, () =>
      execute()
        .then(
          () => 'completed',
          (error: Error) => afterError(error).then(() => 'failed'),
        )
        .catch((error: Error) => {
          if (error instanceof LostClaim) childLog.warn('the job was cancelled or claimed by another worker')
          else if (isLeaving(error)) childLog.warn('the job stopped: its tenant moves to another cell')
          else childLog.error({ err: error }, 'the outcome of a job could not be stored; it will run again')
          return 'lost'
        }),
    )
    .then((outcome) => {
      metrics.job(service.name, claim.payload.job, outcome, performance.now() - began)
      if (!trace.isRecorded) return
      const attributes = { 'icosa.tenant': tenant, 'icosa.outcome': outcome, 'icosa.failures': failures }
      traces.end(trace, { name, startedAt: began, attributes, hasFailed: outcome !== 'completed' })
    })

  return { claim, operation, ended, abort }
}

function toOperationError(error: Error): OperationError {
  if (!(error instanceof Failure)) return { kind: 'internal', message: 'Something went wrong on our side.' }
  return { kind: error.kind, message: error.message, ...(error.code && { code: error.code }) }
}
