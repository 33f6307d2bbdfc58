import { ownBlobs } from '../blobs.ts'
import { isOutage } from '../db/connection/unavailable.ts'
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

/** Thrown where a worker finds that it has lost its job: nothing that it does counts any more. */
class LostClaim extends Error {}

/** Thrown where the caller cancelled the operation while it ran. */
class Cancelled extends Error {}

/** A job that no attempt will bring to an end. */
class Unworkable extends Failure {
  constructor(message: string) {
    super('internal', message)
  }
}

/** How long a job waits for a full disk, say: a claim that lapses takes longer, and so often it counts as a crash. */
const outagePauseMs = 5_000

/** Runs one claimed job to its end. Never rejects. */
export function runJob(platform: Platform, service: StartedService, claim: Claim): Running {
  const { queue, clock, log, metrics, traces } = platform
  const { queue: queueName } = claim
  const { tenant, operation: operationId, input, key, failures = 0 } = claim.data
  const database = platform.database.of(tenant)
  const operation = operationId === undefined ? undefined : { tenant, id: operationId }
  const job = service.jobs?.find(({ name }) => name === claim.data.job) as Job<unknown> | undefined
  const abortion = new AbortController()
  const blobsOf = (owner: string) => ownBlobs(platform.blobs, service.name, owner)
  const name = `${queueName}:${claim.data.job}`
  const trace = traces.begin('job', claim.data.trace ?? {})
  const childLog = log.child({ job: name, tenant, operation: operationId, traceId: trace.traceId })

  /** A transaction that commits only while the claim holds. */
  function fenced<T>(work: BoundWork<T>, completes: boolean): Promise<T> {
    return transactionOf(platform, service.name, tenant, async (db, jobs, resources) => {
      const value = await work(db, jobs, resources)
      if (abortion.signal.reason === 'lost') throw new LostClaim() // and what it worked with may be closed by now
      const held = completes ? await queue.complete(db, claim) : (await renewClaims(db, [claim])).has(claim.id)
      if (!held) throw new LostClaim()
      return value
    })
  }

  async function execute(): Promise<void> {
    if (operation && !(await begin(database, clock, operation))) return fenced(async () => {}, true)
    if (!job) throw new Unworkable(`No worker knows the job '${claim.data.job}'.`)
    if (queueName !== service.name) throw new Unworkable('The workers of this job died again and again.')
    if (key !== undefined) await awaitHolders(database, claim)
    const run = async () => job.run(input, context())
    const disturbed = platform.around?.(`${service.name}:${job.name}`)
    const finish = await (disturbed?.job(run, () => abortion.abort('lost')) ?? run())
    await fenced(async (db, ...bound) => {
      const result = await (finish as Finish | undefined)?.(db, ...bound)
      if (operation && !(await end(db, clock, operation, { status: 'succeeded', result }))) throw new Cancelled()
    }, true)
  }

  async function afterError(error: Error): Promise<void> {
    if (error instanceof LostClaim || abortion.signal.reason === 'lost') throw new LostClaim()
    if (isOutage(error)) return postpone(error)
    if (error instanceof Cancelled || abortion.signal.reason === 'cancelled') return fenced(async () => {}, true)
    const permanent = error instanceof Unworkable || isRefusal(error) || failures >= (job?.retries ?? 0)
    childLog[permanent ? 'error' : 'warn']({ err: error, failures }, permanent ? 'job failed' : 'job will be retried')
    await fenced(async (db, jobs) => {
      if (!permanent) {
        const at = new Date(clock.now().getTime() + pauseMs(failures))
        return jobs.send({ ...claim.data, failures: failures + 1 }, at)
      }
      await job?.failed?.(input, db, error, { tenant, clock, jobs })
      if (operation) await end(db, clock, operation, { status: 'failed', error: toOperationError(error) })
    }, true)
  }

  /** Not the job's fault, so nothing is counted. If it is the database that is away, the job is run again when its claim lapses. */
  async function postpone(error: Error): Promise<void> {
    const at = new Date(clock.now().getTime() + outagePauseMs)
    await fenced(async (_, jobs) => jobs.send(claim.data, at), true)
    childLog.warn({ err: error }, 'job is postponed: something that it needs is away')
  }

  function context(): JobContext {
    return {
      tenant,
      held: service.held,
      db: database.reading,
      transaction: <T>(work: Work<T>) => fenced(work, false),
      progress: async (fraction) => void (operation && (await report(database, clock, operation, fraction))),
      clock,
      blobs: { ...blobsOf(tenant), of: blobsOf },
      fetch: platform.fetch,
      vault: platform.vault,
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
          if (error instanceof LostClaim) childLog.warn('the job was cancelled, or another worker has it')
          else childLog.error({ err: error }, 'the end of a job could not be written; it will be run again')
          return 'lost'
        }),
    )
    .then((outcome) => {
      metrics.job(queueName, claim.data.job, outcome, performance.now() - began)
      if (!trace.isRecorded) return
      const attributes = { 'icosa.tenant': tenant, 'icosa.outcome': outcome, 'icosa.failures': failures }
      traces.end(trace, { name, startedAt: began, attributes, hasFailed: outcome !== 'completed' })
    })

  return { claim, operation, ended, abort: (reason) => abortion.abort(reason) }
}

function toOperationError(error: Error): OperationError {
  if (!(error instanceof Failure)) return { kind: 'internal', message: 'Something went wrong on our side.' }
  return { kind: error.kind, message: error.message, ...(error.code && { code: error.code }) }
}
