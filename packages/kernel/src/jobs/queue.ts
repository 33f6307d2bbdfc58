import { PgBoss } from 'pg-boss'
import { type Database, type Db, type Sql, sql } from '../db/db.ts'
import { type Claim, claimJobs, type Demand, type Supply } from './claim.ts'
import { type AnyJob, type JobsOf, type NewJob, type Payload, payloadOf } from './jobs.ts'

/** Queues in PostgreSQL, one for every service. */
export interface Queue {
  /** Makes the queue of a service, if it is not there. */
  create(name: string): Promise<void>
  send(db: Db, name: string, payloads: readonly Payload[]): Promise<void>
  /** Claims jobs from any number of lines at once, fairly between tenants. Answers line by line. */
  claim(demands: readonly Demand[]): Promise<Supply[]>
  /** Says that the work goes on. Answers the claims that still hold. */
  touch(name: string, claims: readonly Claim[], db?: Db): Promise<ReadonlySet<string>>
  /** Has jobs claimed again whose workers have said nothing for too long. Answers the queues that they are in. */
  reclaim(names: readonly string[]): Promise<ReadonlySet<string>>
  /** False if the claim was lost. */
  complete(db: Db, name: string, claim: Claim): Promise<boolean>
  /** Tells workers on every node that there is work. A hint, sent outside the transaction and coalesced. */
  wake(names: Iterable<string>): void
  close(): Promise<void>
}

/** Where the jobs of a service go whose workers died again and again. */
export const deadQueueOf = (service: string) => `${service}-dead`
export const wakeChannel = 'icosa_jobs'
/** Not a queue: wakes the timers. */
export const timersName = '@timers'

/** A job that waits is never thrown away; one that runs may run for a day, which is the most that pg-boss allows. */
const queueOptions = {
  heartbeatSeconds: 10,
  retryLimit: 10, // crashes; errors are counted by us
  retryDelay: 0,
  expireInSeconds: 24 * 3600,
  retentionSeconds: 10 * 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
}

export interface QueueOptions {
  readonly database: Database
  /** A node that tidies the tables up: every worker does, an API node does not. */
  readonly supervise: boolean
  /** Whether queue tables may be created and upgraded. */
  readonly migrate: boolean
  readonly onError: (error: Error) => void
}

export async function openQueue({ database, supervise, migrate, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    db: asBossDb(database),
    schema: 'jobs',
    supervise,
    migrate,
    schedule: false,
    // Both read the tables from end to end: what must be soon, `reclaim` does by an index.
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 600,
    maintenanceIntervalSeconds: 60,
    persistQueueStats: false,
  })
  boss.on('error', onError)
  await boss.start()

  return {
    async create(name) {
      await boss.createQueue(deadQueueOf(name), queueOptions)
      await boss.createQueue(name, { ...queueOptions, deadLetter: deadQueueOf(name) })
    },
    async send(db, name, payloads) {
      await boss.insert(
        name,
        payloads.map((data) => ({ data, group: { id: data.tenant, tier: data.lane ?? 'default' } })),
        { db: asBossDb(db), returnId: false },
      )
    },
    claim: (demands) => claimJobs(database, demands),
    async touch(name, claims, db = database) {
      const { settled } = answer(await boss.touch(name, [...claims], { db: asBossDb(db) }))
      return new Set(settled)
    },
    async reclaim(names) {
      const lost = Map.groupBy(await silentJobs(database, names), ({ name }) => name)
      for (const [name, claims] of lost) await boss.fail(name, claims, { message: 'its worker fell silent' })
      return new Set([...lost.keys()].flatMap((name) => [name, deadQueueOf(name)]))
    },
    async complete(db, name, claim) {
      const { affected } = answer(await boss.complete(name, claim, null, { db: asBossDb(db) }))
      return affected === 1
    },
    wake: waker(database, onError),
    close: () => boss.stop({ graceful: false, close: false }),
  }
}

// pg-boss documents these fields but leaves them out of its types.
const answer = (response: object) => response as { readonly affected: number; readonly settled?: readonly string[] }

/** pg-boss writes through the handle that it is given: the caller's transaction where there is one. */
function asBossDb(db: Db) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: values.length > 0 ? await db.many({ text, values } as Sql) : await db.script(text) }
    },
  }
}

/** One notification for all that is enqueued within a few milliseconds: NOTIFY takes a lock on the whole cluster. */
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

/** The jobs port of one service, tenant and transaction, with the names of the queues that it put something into. */
export interface BoundJobs extends JobsOf {
  readonly touched: Set<string>
  send(payload: Payload, at?: Date): Promise<void>
}

export function jobsIn(queue: Queue, db: Db, service: string, tenant: string): BoundJobs {
  const touched = new Set<string>()

  async function send(payloads: readonly Payload[]): Promise<void> {
    if (payloads.length === 0) return
    touched.add(service)
    await queue.send(db, service, payloads)
  }

  async function sendAt(timers: readonly Timer[]): Promise<void> {
    if (timers.length === 0) return
    touched.add(timersName)
    await db.run(sql`
      insert into icosa.timers (due_at, queue, payload)
      select at, ${service}, payload from jsonb_to_recordset(${JSON.stringify(timers)}) as t(at timestamptz, payload jsonb)`)
  }

  async function enqueueAll<Input>(job: AnyJob<Input>, all: readonly NewJob<Input>[]): Promise<void> {
    const made = all.map(({ input, at, tenant: other = tenant }) => ({ at, payload: payloadOf(job, other, input) }))
    await send(made.flatMap(({ at, payload }) => (at ? [] : payload)))
    await sendAt(made.flatMap(({ at, payload }) => (at ? { at, payload } : [])))
  }

  return {
    touched,
    send: (payload, at) => (at ? sendAt([{ at, payload }]) : send([payload])),
    enqueue: (job, input, options = {}) => enqueueAll(job, [{ input, ...options }]),
    enqueueAll,
  }
}

interface Timer {
  readonly at: Date
  readonly payload: Payload
}

/** Jobs whose workers should have said by now that they live. A claim that was lost meanwhile is not failed by it. */
function silentJobs(
  db: Db,
  names: readonly string[],
): Promise<(Pick<Claim, 'id' | 'retryCount'> & { name: string })[]> {
  return db.many(sql`
    select name, id, retry_count as "retryCount" from jobs.job_common
    where name = any(${names}) and state = 'active'
      and heartbeat_on + heartbeat_seconds * interval '1 second' < jobs.job_now()`)
}

/** How many jobs wait or run, by queue: for drains and metrics. */
export async function openJobs(db: Db, names: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from jobs.job
    where name = any(${names}) and state in ('created', 'retry', 'active')`)
  return count
}
