import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** How many failures within which time lead to a lock, and how long locks are: each twice the one before. */
export interface Limit {
  readonly failures: number
  readonly withinMs: number
  readonly firstLockMs: number
  readonly maxLockMs: number
}

/** So many at once, and from then on one in so much time. */
export interface Pace {
  readonly atOnce: number
  readonly everyMs: number
}

const dayMs = 24 * 3_600_000

/**
 * Counts a try as a failure before it is made. False if it may not be made: the key is locked. One statement, so that
 * of any number of tries at once, on any number of nodes, no more than the limit get through.
 */
export async function count(db: Db, key: Buffer, limit: Limit, now: Date): Promise<boolean> {
  const windowStart = new Date(now.getTime() - limit.withinMs)
  const quietSince = new Date(now.getTime() - dayMs)
  const startsAnew = sql`(a.failures >= ${limit.failures} or a.since <= ${windowStart})`
  const reachesLimit = sql`(a.failures = ${limit.failures - 1} and a.since > ${windowStart})`
  const locksBefore = sql`case when a.locked_until < ${quietSince} then 0 else a.locks end`
  const lockMs = sql`least(${limit.firstLockMs} * 2 ^ least(${locksBefore}, 16), ${limit.maxLockMs})`
  const counted = await db.run(sql`
    insert into identity_connect.attempts as a (key, failures, since, locks) values (${key}, 1, ${now}, 0)
    on conflict (key) do update set
      failures = case when ${startsAnew} then 1 else a.failures + 1 end,
      since = case when ${startsAnew} then ${now} else a.since end,
      locks = ${locksBefore} + ${reachesLimit}::int,
      locked_until = case when ${reachesLimit} then ${now}::timestamptz + ${lockMs} * interval '1 millisecond'
        else a.locked_until end
    where a.locked_until is null or a.locked_until <= ${now}`)
  return counted === 1
}

export async function lockedUntil(db: ReadingDb, key: Buffer): Promise<Date | undefined> {
  const row = await db.maybe<{ until: Date | null }>(
    sql`select locked_until as until from identity_connect.attempts where key = ${key}`,
  )
  return row?.until ?? undefined
}

/** Takes one count back, and the lock that it led to. */
export async function takeBack(db: Db, key: Buffer, { failures }: Limit): Promise<void> {
  await db.run(sql`
    update identity_connect.attempts a set failures = greatest(a.failures - 1, 0),
      locks = greatest(a.locks - (a.failures >= ${failures})::int, 0),
      locked_until = case when a.failures >= ${failures} then null else a.locked_until end
    where key = ${key}`)
}

const every = ({ everyMs }: Pace) => sql`${everyMs}::float8 * interval '1 millisecond'`

/** How far ahead of the pace tries may come. */
const lead = ({ atOnce, everyMs }: Pace) => (atOnce - 1) * everyMs

/** Counts a try, too, but one that fails costs only time. False if it comes too soon. One statement, as above. */
export async function pace(db: Db, key: Buffer, limit: Pace, now: Date): Promise<boolean> {
  const latest = new Date(now.getTime() + lead(limit))
  const counted = await db.run(sql`
    insert into identity_connect.attempts as a (key, failures, since, locks, busy_until)
    values (${key}, 0, ${now}, 0, ${now}::timestamptz + ${every(limit)})
    on conflict (key) do update set since = ${now}, busy_until = greatest(a.busy_until, ${now}) + ${every(limit)}
    where a.busy_until is null or a.busy_until <= ${latest}`)
  return counted === 1
}

/** When the next one is due. */
export async function pacedUntil(db: ReadingDb, key: Buffer, limit: Pace, now: Date): Promise<Date> {
  const row = await db.maybe<{ until: Date | null }>(
    sql`select busy_until as until from identity_connect.attempts where key = ${key}`,
  )
  return new Date(Math.max((row?.until?.getTime() ?? 0) - lead(limit), now.getTime()))
}

export async function takePaceBack(db: Db, key: Buffer, limit: Pace): Promise<void> {
  await db.run(sql`update identity_connect.attempts set busy_until = busy_until - ${every(limit)} where key = ${key}`)
}

export async function forget(db: Db, key: Buffer): Promise<void> {
  await db.run(sql`delete from identity_connect.attempts where key = ${key}`)
}

export function prune(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    delete from identity_connect.attempts where since < ${before} and (locked_until is null or locked_until < ${before})`)
}
