import type { Clock } from '../clock/clock.ts'
import { type Database, type Db, join, type ReadingDb, type Sql, sql } from '../db/db.ts'
import { ALL_TENANTS } from '../db/fence/fence.ts'
import { isClosed } from '../db/fence/states.ts'
import type { Payload } from './jobs.ts'
import { isExclusive, nameOf } from './keys.ts'
import type { Queue } from './queue.ts'

interface Due {
  readonly queue: string
  readonly payload: Payload
}

export interface Timer {
  readonly at: Date
  readonly payload: Payload
}

/** Stores timers. Of those with the same key, the earliest remains. Returns the number of new ones. */
export async function putTimers(db: Db, queue: string, timers: readonly Timer[]): Promise<number> {
  const latestFirst = timers.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const byName = new Map(
    latestFirst.map((timer, index) => [isExclusive(timer.payload) ? nameOf(timer.payload) : index, timer]),
  )
  const rows = await db.many<{ isNew: boolean }>(sql`
    insert into icosa.timers as timer (due_at, queue, payload)
    select at, ${queue}, payload from jsonb_to_recordset(${JSON.stringify([...byName.values()])}) as t(at timestamptz, payload jsonb)
    on conflict (queue, (payload ->> 'job'), (payload ->> 'tenant'), (payload ->> 'key'))
      where payload ? 'key' and not payload ? 'failures'
      do update set due_at = least(timer.due_at, excluded.due_at)
    returning xmax = 0 as "isNew"`)
  return rows.filter(({ isNew }) => isNew).length
}

/** A recurring job. Missed times are made up for once, not one by one. */
export interface Schedule {
  readonly name: string
  readonly everyMs: number
  readonly queue: string
  readonly payload: Payload
}

/** Stores all with the same base time, so that equal periods are due together and fire in one transaction. */
export async function putSchedules(db: Db, clock: Clock, schedules: readonly Schedule[]): Promise<void> {
  await db.run(sql`
    insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    select name, queue, payload, "everyMs", ${clock.now()}::timestamptz + "everyMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(schedules)}) as s(name text, queue text, payload jsonb, "everyMs" bigint)
    on conflict (name) do update set queue = excluded.queue, payload = excluded.payload,
      every_ms = excluded.every_ms, next_at = least(icosa.schedules.next_at, excluded.next_at)`)
}

/** By schedule name: selects a row if the job has work. */
export type Conditions = ReadonlyMap<string, (now: Date) => Sql>

const batch = 500
const isOpen = sql`not ${isClosed(sql`payload ->> 'tenant'`)}`
/** Another node has locked the due rows in an open transaction. */
const elsewhereMs = 50

export interface Fired {
  /** Queues with new jobs. */
  readonly fired: ReadonlySet<string>
  /** Time until the next one may be due; undefined if there is none. */
  readonly untilNextMs: number | undefined
}

/**
 * Enqueues a batch of due timers and schedules, exactly once however many nodes do so concurrently. Call again
 * immediately while something was fired.
 */
export async function fireDue(
  database: Database,
  queue: Queue,
  clock: Clock,
  conditions: Conditions = new Map(),
): Promise<Fired> {
  const { timers, schedules, next } = await look(database, clock.now(), conditions)
  if (!timers && schedules.length === 0)
    return {
      fired: new Set(),
      untilNextMs: next === null ? undefined : Math.max(0, next.getTime() - clock.now().getTime()),
    }
  const due = await database.transaction(async (db) => {
    const now = clock.now()
    const rows = [...(timers ? await takeTimers(db, now) : []), ...(await takeSchedules(db, now, schedules))]
    for (const [name, payloads] of Map.groupBy(rows, (row) => row.queue)) {
      await queue.send(
        db,
        name,
        payloads.map(({ payload }) => payload),
      )
    }
    return rows
  }, ALL_TENANTS)
  return { fired: new Set(due.map(({ queue: name }) => name)), untilNextMs: due.length > 0 ? 0 : elsewhereMs }
}

interface Look {
  readonly timers: boolean
  /** Due ones that have work. */
  readonly schedules: readonly string[]
  readonly next: Date | null
}

/** Checks in one read-only statement, the only one of an idle cell. A schedule without work is checked again later. */
function look(db: ReadingDb, now: Date, conditions: Conditions): Promise<Look> {
  const cases = [...conditions].map(([name, condition]) => sql`when ${name} then exists (${condition(now)})`)
  const hasWork = cases.length > 0 ? sql`case name ${join(cases, ' ')} else true end` : sql`true`
  return db.one(sql`
    with schedule as materialized (select name, next_at, every_ms, ${isDue(now)} as due from icosa.schedules)
    select exists (select from icosa.timers where due_at <= ${now} and ${isOpen}) as timers,
      array(select name from schedule where due and ${hasWork}) as schedules,
      least((select min(due_at) from icosa.timers where due_at > ${now}), (
        select min(case when due then ${now}::timestamptz + every_ms * interval '1 millisecond' else next_at end)
        from schedule)) as next`)
}

/** Marks due schedules without work as alive. */
export async function markIdle(db: Db, clock: Clock): Promise<void> {
  await db.run(sql`update icosa.schedules set last_at = clock_timestamp() where ${isDue(clock.now())}`)
}

function takeTimers(db: Db, now: Date): Promise<Due[]> {
  return db.many(sql`
    delete from icosa.timers where id in
      (select id from icosa.timers where due_at <= ${now} and ${isOpen}
        order by due_at, id limit ${batch} for update skip locked)
    returning queue, payload`)
}

/**
 * A next time more than one period ahead was set by a wrong clock: such a schedule is due as well. Correct clocks
 * differ by less than the 10 seconds.
 */
const isDue = (now: Date) =>
  sql`(next_at <= ${now} or next_at > ${now}::timestamptz + every_ms * interval '1 millisecond' + interval '10 seconds')`

async function takeSchedules(db: Db, now: Date, names: readonly string[]): Promise<Due[]> {
  if (names.length === 0) return []
  return db.many(sql`
    update icosa.schedules set next_at = next_at + every_ms * interval '1 millisecond' *
      (1 + floor(extract(epoch from ${now}::timestamptz - next_at) * 1000 / every_ms)), last_at = clock_timestamp()
    where name in
      (select name from icosa.schedules where name = any(${names}) and ${isDue(now)} for update skip locked)
    returning queue, payload`)
}

/** Keeps delays when the clock is moved back: otherwise nothing would fire until it has caught up. */
export async function moveTimersBack(db: Db, backMs: number, now: Date): Promise<void> {
  await db.run(sql`update icosa.timers set due_at = due_at - ${backMs}::float8 * interval '1 millisecond'`)
  await db.run(sql`
    update icosa.schedules set next_at = least(next_at - ${backMs}::float8 * interval '1 millisecond',
      ${now}::timestamptz + every_ms * interval '1 millisecond')`)
}
