import type { Clock } from '../clock/clock.ts'
import { type Database, type Db, type ReadingDb, sql } from '../db/db.ts'
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

export async function putSchedule(db: Db, clock: Clock, { name, everyMs, queue, payload }: Schedule): Promise<void> {
  await db.run(sql`
    insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    values (${name}, ${queue}, ${JSON.stringify(payload)}, ${everyMs}, ${new Date(clock.now().getTime() + everyMs)})
    on conflict (name) do update set queue = excluded.queue, payload = excluded.payload,
      every_ms = excluded.every_ms, next_at = least(icosa.schedules.next_at, excluded.next_at)`)
}

const batch = 500

/**
 * Puts into the queues what is due by the platform's clock, once, however many nodes do this at the same time.
 * Answers the queues that got something.
 */
export async function fireDue(database: Database, queue: Queue, clock: Clock): Promise<Set<string>> {
  const fired = new Set<string>()
  for (;;) {
    const due = await database.transaction(async (db) => {
      const now = clock.now()
      const rows = [...(await takeTimers(db, now)), ...(await takeSchedules(db, now))]
      for (const [name, payloads] of Map.groupBy(rows, (row) => row.queue)) {
        await queue.send(
          db,
          name,
          payloads.map(({ payload }) => payload),
        )
      }
      return rows
    })
    for (const { queue: name } of due) fired.add(name)
    if (due.length < batch) return fired
  }
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

function takeSchedules(db: Db, now: Date): Promise<Due[]> {
  return db.many(sql`
    update icosa.schedules set next_at = next_at + every_ms * interval '1 millisecond' *
      (1 + floor(extract(epoch from ${now}::timestamptz - next_at) * 1000 / every_ms)), last_at = clock_timestamp()
    where name in
      (select name from icosa.schedules where ${isDue(now)} order by next_at limit ${batch} for update skip locked)
    returning queue, payload`)
}

/** What was to come in an hour still comes in an hour, though the clock goes back: nobody waits until it has caught up. */
export async function moveTimersBack(db: Db, backMs: number, now: Date): Promise<void> {
  await db.run(sql`update icosa.timers set due_at = due_at - ${backMs}::float8 * interval '1 millisecond'`)
  await db.run(sql`
    update icosa.schedules set next_at = least(next_at - ${backMs}::float8 * interval '1 millisecond',
      ${now}::timestamptz + every_ms * interval '1 millisecond')`)
}

/** How long until the next timer or schedule is due by the clock; undefined if there is none. */
export async function untilNextMs(db: ReadingDb, clock: Clock): Promise<number | undefined> {
  const { next } = await db.one<{ next: Date | null }>(sql`
    select least((select min(due_at) from icosa.timers), (select min(next_at) from icosa.schedules)) as next`)
  return next === null ? undefined : Math.max(0, next.getTime() - clock.now().getTime())
}
