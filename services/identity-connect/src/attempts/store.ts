import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Failures within a period lead to a lock; each lock is twice as long as the one before. */
export interface Limit {
  readonly failures: number
  readonly withinMs: number
  readonly firstLockMs: number
  readonly maxLockMs: number
}

/** A burst of attempts, then one per interval. */
export interface RateLimit {
  readonly burst: number
  readonly intervalMs: number
}

const dayMs = 24 * 3_600_000

/**
 * Counts an attempt as a failure before it is checked. Returns false if the key is locked. One statement, so that no more
 * concurrent attempts than the limit get through, on any number of nodes.
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

/** Uncounts an attempt, and lifts the lock that it led to. */
export async function refund(db: Db, key: Buffer, { failures }: Limit): Promise<void> {
  await db.run(sql`
    update identity_connect.attempts a set failures = greatest(a.failures - 1, 0),
      locks = greatest(a.locks - (a.failures >= ${failures})::int, 0),
      locked_until = case when a.failures >= ${failures} then null else a.locked_until end
    where key = ${key}`)
}

const interval = ({ intervalMs }: RateLimit) => sql`${intervalMs}::float8 * interval '1 millisecond'`

/** How far a burst may run ahead of the rate. */
const lead = ({ burst, intervalMs }: RateLimit) => (burst - 1) * intervalMs

/** Counts an attempt against a rate (GCRA). Returns false if it comes too soon. One statement, as above. */
export async function takeRate(db: Db, key: Buffer, limit: RateLimit, now: Date): Promise<boolean> {
  const latest = new Date(now.getTime() + lead(limit))
  const counted = await db.run(sql`
    insert into identity_connect.attempts as a (key, failures, since, locks, busy_until)
    values (${key}, 0, ${now}, 0, ${now}::timestamptz + ${interval(limit)})
    on conflict (key) do update set since = ${now}, busy_until = greatest(a.busy_until, ${now}) + ${interval(limit)}
    where a.busy_until is null or a.busy_until <= ${latest}`)
  return counted === 1
}

/** When the next attempt is allowed. */
export async function rateLimitedUntil(db: ReadingDb, key: Buffer, limit: RateLimit, now: Date): Promise<Date> {
  const row = await db.maybe<{ until: Date | null }>(
    sql`select busy_until as until from identity_connect.attempts where key = ${key}`,
  )
  return new Date(Math.max((row?.until?.getTime() ?? 0) - lead(limit), now.getTime()))
}

export async function refundRate(db: Db, key: Buffer, limit: RateLimit): Promise<void> {
  await db.run(
    sql`update identity_connect.attempts set busy_until = busy_until - ${interval(limit)} where key = ${key}`,
  )
}

export async function forget(db: Db, key: Buffer): Promise<void> {
  await db.run(sql`delete from identity_connect.attempts where key = ${key}`)
}

export function prune(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    delete from identity_connect.attempts where since < ${before} and (locked_until is null or locked_until < ${before})`)
}
