import { type ReadingDb, sql } from '@icosa/kernel'

export interface QueueFigures {
  readonly queue: string
  readonly lane: string
  readonly state: 'waiting' | 'running' | 'dead'
  readonly jobs: number
  readonly oldestSeconds: number
}

/** Unfinished jobs. One partial index each, so that finished jobs are not read. */
const open = sql`
  select name, group_id, group_tier, created_on, 'waiting' as state from jobs.job_common
  where state < 'active' and not blocked
  union all
  select name, group_id, group_tier, created_on, 'running' from jobs.job_common where state = 'active'`

export function queueFigures(db: ReadingDb): Promise<QueueFigures[]> {
  return db.many(sql`
    select regexp_replace(name, '-dead$', '') as queue, coalesce(group_tier, 'default') as lane,
      case when name like '%-dead' then 'dead' else state end as state, count(*)::int as jobs,
      coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as "oldestSeconds"
    from (${open}) as job group by 1, 2, 3 order by 1, 2, 3`)
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
    select group_id as tenant, count(*)::int as jobs from (${open}) as job
    where group_id is not null group by 1 order by 2 desc, 1 limit ${count}`)
}
