import { type Database, type Db, type ReadingDb, sql } from '../db/db.ts'
import { isClosed } from '../db/fence/states.ts'
import type { Traces } from '../telemetry/telemetry.ts'
import { type Claim, type Claimed, claimJobs, claimsName, completeJob, type Demand, requeueExpired } from './claim.ts'
import { type AnyJob, type JobsOf, type NewJob, type Payload, payloadOf } from './jobs.ts'
import { cancelJobs, sendJobs } from './keys.ts'
import { putTimers, type Timer } from './timers.ts'

/** Job queues in PostgreSQL, one per service. */
export interface Queue {
  /** Returns the number of new jobs: those whose key is already waiting are skipped. */
  send(db: Db, name: string, payloads: readonly Payload[]): Promise<number>
  /** Claims jobs from several lanes in one statement, fairly between tenants. Returns one result per lane. */
  claim(demands: readonly Demand[]): Promise<Claimed[]>
  /**
   * Requeues jobs whose workers have not renewed their leases for ten seconds. Returns their queues, and queues whose notification may have
   * been lost.
   */
  sweep(leaseMs?: number): Promise<ReadonlySet<string>>
  /** Returns false if the lease was lost. */
  complete(db: Db, claim: Claim): Promise<boolean>
  /** Notifies workers on every node of new work. A hint, sent outside the transaction and coalesced. */
  wake(names: Iterable<string>): void
  /** Trace context for a job enqueued now. */
  readonly carried: Traces['carried']
}

export const wakeChannel = 'icosa_jobs'
/** Not a queue: triggers leader election. */
export const leaderName = '@leader'
/** Not a queue: wakes the timers. */
export const timersName = '@timers'

export interface QueueOptions {
  readonly database: Database
  readonly onError: (error: Error) => void
  /** Without it, jobs carry no trace context. */
  readonly carried?: Traces['carried']
}

export function openQueue({ database, onError, carried = () => undefined }: QueueOptions): Queue {
  return {
    send: sendJobs,
    claim: (demands) => claimJobs(database, demands),
    async sweep(leaseMs = 10_000) {
      const { requeued, waiting } = await requeueExpired(database, leaseMs)
      return new Set([...waiting, ...requeued, ...(requeued.length > 0 ? [claimsName] : [])])
    },
    complete: completeJob,
    wake: waker(database, onError),
    carried,
  }
}

/** Coalesces notifications of a few milliseconds: NOTIFY takes a cluster-wide lock. */
function waker(db: Db, onError: (error: Error) => void) {
  const pauseMs = 5
  let waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function notify(): void {
    const names = waiting
    waiting = new Set()
    timer = setTimeout(() => {
      timer = undefined
      if (waiting.size > 0) notify()
    }, pauseMs).unref()
    db.run(sql`select pg_notify(${wakeChannel}, ${[...names].join(' ')})`).catch(onError)
  }

  return (names: Iterable<string>) => {
    for (const name of names) waiting.add(name)
    if (waiting.size > 0 && timer === undefined) notify()
  }
}

/** Jobs port of one service, tenant and transaction, with the names of the affected queues. */
export interface BoundJobs extends JobsOf {
  readonly touched: Set<string>
  send(payload: Payload, at?: Date): Promise<void>
}

export function jobsIn(queue: Queue, db: Db, service: string, tenant: string): BoundJobs {
  const touched = new Set<string>()

  /** Retries keep their trace. */
  function traced(payload: Payload, later: boolean): Payload {
    const trace = payload.trace ?? queue.carried(later)
    return trace ? { ...payload, trace } : payload
  }

  async function send(payloads: readonly Payload[]): Promise<number> {
    if (payloads.length === 0) return 0
    touched.add(service)
    return queue.send(
      db,
      service,
      payloads.map((payload) => traced(payload, false)),
    )
  }

  async function sendAt(timers: readonly Timer[]): Promise<number> {
    if (timers.length === 0) return 0
    touched.add(timersName)
    return putTimers(
      db,
      service,
      timers.map(({ at, payload }) => ({ at, payload: traced(payload, true) })),
    )
  }

  async function enqueueAll<Input>(job: AnyJob<Input>, all: readonly NewJob<Input>[]): Promise<number> {
    const entries = all.map(({ input, at, tenant: other = tenant, key }) => ({
      at,
      payload: { ...payloadOf(job, other, input), ...(key !== undefined && { key }) },
    }))
    const inLine = await send(entries.flatMap(({ at, payload }) => (at ? [] : payload)))
    return inLine + (await sendAt(entries.flatMap(({ at, payload }) => (at ? { at, payload } : []))))
  }

  return {
    touched,
    send: async (payload, at) => void (await (at ? sendAt([{ at, payload }]) : send([payload]))),
    enqueue: async (job, input, options = {}) => (await enqueueAll(job, [{ input, ...options }])) === 1,
    enqueueAll,
    async cancel({ name }, key, options = {}) {
      touched.add(claimsName)
      return (await cancelJobs(db, service, { job: name, tenant: options.tenant ?? tenant, key })) > 0
    },
  }
}

/** Counts waiting and running jobs, without those of tenants that leave the cell. */
export async function openJobs(db: ReadingDb, names: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from icosa.jobs where queue = any(${names}) and not ${isClosed(sql`tenant`)}`)
  return count
}
