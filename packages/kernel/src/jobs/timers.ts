import type { Clock } from '../clock/clock.ts'
import { type Database, type Db, join, type ReadingDb, type Sql, sql } from '../db/db.ts'
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

/**
 * Jobs that wait for a time. Of those with the same key one does: that with the earlier time. Answers how many are new.
 */
export async function putTimers(db: Db, queue: string, timers: readonly Timer[]): Promise<number> {
  const latestFirst = timers.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const named = new Map(latestFirst.map((one, index) => [isExclusive(one.payload) ? nameOf(one.payload) : index, one]))
  const rows = await db.many<{ isNew: boolean }>(sql`
    insert into icosa.timers as timer (due_at, queue, payload)
    select at, ${queue}, payload from jsonb_to_recordset(${JSON.stringify([...named.values()])}) as t(at timestamptz, payload jsonb)
    on conflict (queue, (payload ->> 'job'), (payload ->> 'tenant'), (payload ->> 'key'))
      where payload ? 'key' and not payload ? 'failures'
      do update set due_at = least(timer.due_at, excluded.due_at)
    returning xmax = 0 as "isNew"`)
  return rows.filter(({ isNew }) => isNew).length
}

/** A job that comes again and again. Times that passed while nobody looked are made up for once, not one by one. */
export interface Schedule {
  readonly name: string
  readonly everyMs: number
  readonly queue: string
  readonly payload: Payload
}

/** All at the same time, so that those with the same period are due together and are fired in one transaction. */
export async function putSchedules(db: Db, clock: Clock, schedules: readonly Schedule[]): Promise<void> {
  await db.run(sql`
    insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    select name, queue, payload, "everyMs", ${clock.now()}::timestamptz + "everyMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(schedules)}) as s(name text, queue text, payload jsonb, "everyMs" bigint)
    on conflict (name) do update set queue = excluded.queue, payload = excluded.payload,
      every_ms = excluded.every_ms, next_at = least(icosa.schedules.next_at, excluded.next_at)`)
}

/** Of schedules, by their names: whether there is anything for them to do. */
export type Conditions = ReadonlyMap<string, (now: Date) => Sql>

const batch = 500
/** Another node has what is due in a transaction that has not ended. */
const elsewhereMs = 50

export interface Fired {
  /** The queues that got something. */
  readonly fired: ReadonlySet<string>
  /** How long until something may be due by the clock; undefined if there is nothing. */
  readonly untilNextMs: number | undefined
}

/**
 * Puts some of what is due by the platform's clock into the queues, each once, however many nodes do this at the same time. To be
 * called again at once while something was fired.
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
  })
  return { fired: new Set(due.map(({ queue: name }) => name)), untilNextMs: due.length > 0 ? 0 : elsewhereMs }
}

interface Look {
  readonly timers: boolean
  /** Those that are due and have something to do. */
  readonly schedules: readonly string[]
  readonly next: Date | null
}

/** In one statement that only reads: an idle cell asks nothing else. A schedule with nothing to do is looked at again later. */
function look(db: ReadingDb, now: Date, conditions: Conditions): Promise<Look> {
  const cases = [...conditions].map(([name, condition]) => sql`when ${name} then exists (${condition(now)})`)
  const hasWork = cases.length > 0 ? sql`case name ${join(cases, ' ')} else true end` : sql`true`
  return db.one(sql`
    with schedule as materialized (select name, next_at, every_ms, ${isDue(now)} as due from icosa.schedules)
    select exists (select from icosa.timers where due_at <= ${now}) as timers,
      array(select name from schedule where due and ${hasWork}) as schedules,
      least((select min(due_at) from icosa.timers where due_at > ${now}), (
        select min(case when due then ${now}::timestamptz + every_ms * interval '1 millisecond' else next_at end)
        from schedule)) as next`)
}

/** Says of schedules that are due and have nothing to do that they do not stand still. */
export async function markIdle(db: Db, clock: Clock): Promise<void> {
  await db.run(sql`update icosa.schedules set last_at = clock_timestamp() where ${isDue(clock.now())}`)
}

function takeTimers(db: Db, now: Date): Promise<Due[]> {
  return db.many(sql`
    delete from icosa.timers where id in
      (select id from icosa.timers where due_at <= ${now} order by due_at, id limit ${batch} for update skip locked)
    returning queue, payload`)
}

/**
 * A next time more than a period ahead was set by a wrong clock: such a schedule is due as well. Right clocks differ by less
 * than the 10 seconds.
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

/** What was to come in an hour still comes in an hour, though the clock goes back: nobody waits until it has caught up. */
export async function moveTimersBack(db: Db, backMs: number, now: Date): Promise<void> {
  await db.run(sql`update icosa.timers set due_at = due_at - ${backMs}::float8 * interval '1 millisecond'`)
  await db.run(sql`
    update icosa.schedules set next_at = least(next_at - ${backMs}::float8 * interval '1 millisecond',
      ${now}::timestamptz + every_ms * interval '1 millisecond')`)
}
