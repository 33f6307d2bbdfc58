import { type ReadingDb, sql } from '@icosa/kernel'

/** `dead`: several workers died of the job. */
type QueueState = 'waiting' | 'running' | 'dead'
const maxAttempts = 3

export interface QueueFigures {
  readonly queue: string
  readonly lane: string
  readonly state: QueueState
  readonly jobs: number
  readonly oldestSeconds: number
}

export function queueFigures(db: ReadingDb): Promise<QueueFigures[]> {
  return db.many(sql`
    select queue, lane, case when attempt > ${maxAttempts} then 'dead' when is_running then 'running' else 'waiting' end as state,
      count(*)::int as jobs, coalesce(extract(epoch from now() - min(enqueued_at)), 0)::float8 as "oldestSeconds"
    from icosa.jobs group by 1, 2, 3 order by 1, 2, 3`)
}

export interface ScheduleFigures {
  readonly schedule: string
  readonly everySeconds: number
  /** Seconds of the Unix epoch, by PostgreSQL's clock. */
  readonly lastRunSeconds: number
}

/** A schedule that never ran counts from its first due time. */
export function scheduleFigures(db: ReadingDb): Promise<ScheduleFigures[]> {
  return db.many(sql`
    select name as schedule, every_ms / 1000.0::float8 as "everySeconds",
      extract(epoch from coalesce(last_at, next_at))::float8 as "lastRunSeconds"
    from icosa.schedules order by 1`)
}

/** Age of the newest signing keys in seconds; undefined if there are none yet. */
export async function signingKeyAge(db: ReadingDb, now: Date): Promise<number | undefined> {
  const keys = await db.one<{ age: number | null }>(sql`
    select extract(epoch from ${now}::timestamptz - max(created_at))::float8 as age from icosa.signing_keys`)
  return keys.age ?? undefined
}

export interface TenantJobs {
  readonly tenant: string
  readonly jobs: number
}

export function topTenants(db: ReadingDb, count: number): Promise<TenantJobs[]> {
  return db.many(sql`
    select tenant, count(*)::int as jobs from icosa.jobs group by 1 order by 2 desc, 1 limit ${count}`)
}
