import { PgBoss } from 'pg-boss'
import { type Database, type Db, type ReadingDb, type Sql, sql } from '../db/db.ts'
import type { Traces } from '../telemetry/telemetry.ts'
import { type Claim, type Claimed, type ClaimKey, claimJobs, claimsName, type Demand } from './claim.ts'
import { type AnyJob, type JobsOf, type NewJob, type Payload, payloadOf } from './jobs.ts'
import { cancelJobs, isExclusive, sendOnce, singletonKeyOf } from './keys.ts'
import { putTimers, type Timer } from './timers.ts'

/** Job queues in PostgreSQL, one per service. */
export interface Queue {
  /** Creates missing queues. */
  create(names: readonly string[]): Promise<void>
  /** Returns the number of new jobs: those whose key is already waiting are skipped. */
  send(db: Db, name: string, payloads: readonly Payload[]): Promise<number>
  /** Claims jobs from several lanes in one statement, fairly between tenants. Returns one result per lane. */
  claim(demands: readonly Demand[]): Promise<Claimed[]>
  /**
   * Requeues jobs whose workers missed their heartbeat. Returns their queues, and queues whose notification may have
   * been lost.
   */
  sweep(): Promise<ReadonlySet<string>>
  /** Returns false if the lease was lost. */
  complete(db: Db, claim: Claim): Promise<boolean>
  /** Notifies workers on every node of new work. A hint, sent outside the transaction and coalesced. */
  wake(names: Iterable<string>): void
  /** Trace context for a job enqueued now. */
  readonly carried: Traces['carried']
  close(): Promise<void>
}

/** Dead letter queue of a service: jobs whose workers died repeatedly. */
export const deadQueueOf = (service: string) => `${service}-dead`
export const wakeChannel = 'icosa_jobs'
/** Not a queue: triggers leader election. */
export const leaderName = '@leader'
/** Not a queue: wakes the timers. */
export const timersName = '@timers'

/** Waiting jobs must never expire. */
const queueOptions = {
  heartbeatSeconds: 10,
  retryLimit: 10, // crashes; errors are counted in the payload
  retryDelay: 0,
  retentionSeconds: 10 * 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
}

export interface QueueOptions {
  readonly database: Database
  /** Whether this node maintains the tables: workers do, API nodes do not. */
  readonly supervise: boolean
  /** Whether queue tables may be created and upgraded. */
  readonly migrate: boolean
  readonly onError: (error: Error) => void
  /** Without it, jobs carry no trace context. */
  readonly carried?: Traces['carried']
}

export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { database, supervise, migrate, onError, carried = () => undefined } = options
  const boss = new PgBoss({
    db: asBossDb(database),
    schema: 'jobs',
    supervise,
    migrate,
    schedule: false,
    // Both scan whole tables: `sweep` does the urgent part by an index.
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 600,
    maintenanceIntervalSeconds: 60,
    persistQueueStats: false,
    flowIntervalSeconds: 86_400, // job dependencies are not used
  })
  boss.on('error', onError)
  await boss.start()

  return {
    async create(names) {
      const existing = new Set((await boss.getQueues()).map(({ name }) => name))
      for (const name of names.filter((name) => !existing.has(name))) {
        await boss.createQueue(deadQueueOf(name), queueOptions)
        await boss.createQueue(name, { ...queueOptions, deadLetter: deadQueueOf(name) })
      }
    },
    async send(db, name, payloads) {
      const insert = async (batch: readonly Payload[], returnId: boolean) =>
        (await boss.insert(name, batch.map(toBossJob), { db: asBossDb(db), returnId }))?.length ?? 0
      const exclusive = payloads.filter(isExclusive)
      const others = exclusive.length === 0 ? payloads : payloads.filter((payload) => !isExclusive(payload))
      if (others.length > 0) await insert(others, false)
      return others.length + (await sendOnce(db, name, exclusive, (batch) => insert(batch, true)))
    },
    claim: (demands) => claimJobs(database, demands),
    async sweep() {
      const { silent, waiting } = await neglectedJobs(database)
      const lost = Map.groupBy(silent, ({ queue }) => queue)
      for (const [name, claims] of lost) await boss.fail(name, claims, { message: 'its worker stopped responding' })
      const touched = [...lost.keys()].flatMap((name) => [name, deadQueueOf(name)])
      return new Set([...waiting, ...touched, ...(touched.length > 0 ? [claimsName] : [])])
    },
    async complete(db, claim) {
      const { affected } = answer(await boss.complete(claim.queue, claim, null, { db: asBossDb(db) }))
      return affected === 1
    },
    wake: waker(database, onError),
    carried,
    close: () => boss.stop({ graceful: false, close: false }),
  }
}

const toBossJob = (data: Payload) => {
  const singletonKey = singletonKeyOf(data)
  return { data, group: { id: data.tenant, tier: data.lane ?? 'default' }, ...(singletonKey && { singletonKey }) }
}

// pg-boss documents this field but omits it from its types.
const answer = (response: object) => response as { readonly affected: number }

/** Makes pg-boss write through a given handle, such as the caller's transaction. */
function asBossDb(db: Db) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: values.length > 0 ? await db.many({ text, values } as Sql) : await db.script(text) }
    },
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

/**
 * Returns jobs with an overdue heartbeat, and queues with waiting jobs. A lease lost in the meantime is not failed by
 * it.
 */
function neglectedJobs(db: ReadingDb): Promise<{ readonly silent: ClaimKey[]; readonly waiting: string[] }> {
  return db.one(sql`
    select coalesce((
      select jsonb_agg(jsonb_build_object('queue', name, 'id', id, 'retryCount', retry_count)) from jobs.job_common
      where state = 'active' and heartbeat_on + heartbeat_seconds * interval '1 second' < jobs.job_now()), '[]') as silent,
    array(
      select name from jobs.queue
      where exists (select from jobs.job_common as job where job.name = queue.name and job.state < 'active' and not job.blocked)
    ) as waiting`)
}

/** Counts waiting and running jobs, for drains and metrics. */
export async function openJobs(db: ReadingDb, names: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from jobs.job
    where name = any(${names}) and state in ('created', 'retry', 'active')`)
  return count
}
