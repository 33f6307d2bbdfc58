import { type ReadingDb, raw, type Sql, sql } from '@icosa/kernel'
import type { JobOperation, JobSchedule, JobTimer, QueuedJob } from './contract.ts'

/** Jobs and timers have no index by tenant, so only the next ones of the cell are searched. */
const maxSearched = 10_000

/** The trace in whose history the job appears: its own, or that of the job that scheduled it. */
const traceId = raw(
  "split_part(coalesce(payload -> 'trace' ->> 'traceparent', payload -> 'trace' ->> 'enqueuedBy'), '-', 2)",
)

/** Oldest first. */
export function queuedJobs(db: ReadingDb, tenant: string, limit: number): Promise<QueuedJob[]> {
  return objects(
    db,
    sql`select id::text, queue as service, payload ->> 'job' as job,
      case when is_running then 'running' else 'waiting' end as state, attempt, ${iso('enqueued_at')} as "enqueuedAt",
      ${iso('started_at')} as "startedAt", ${traceId} as "traceId"
    from (select * from icosa.jobs order by id limit ${maxSearched}) as next
    where tenant = ${tenant} limit ${limit}`,
  )
}

/** Newest first. */
export function openOperations(db: ReadingDb, tenant: string, limit: number): Promise<JobOperation[]> {
  return objects(
    db,
    sql`select id, service, kind, status, progress, resource, error ->> 'message' as error,
      ${iso('created_at')} as "createdAt", ${iso('updated_at')} as "updatedAt"
    from icosa.operations where tenant = ${tenant} and status in ('pending', 'running', 'failed')
    order by created_at desc, id limit ${limit}`,
  )
}

/** Next one first. */
export function timersOf(db: ReadingDb, tenant: string, limit: number): Promise<JobTimer[]> {
  return objects(
    db,
    sql`select queue as service, payload ->> 'job' as job, ${iso('due_at')} as at,
      coalesce((payload ->> 'failures')::int, 0) + 1 as attempt,
      ${traceId} as "traceId"
    from (select * from icosa.timers order by due_at, id limit ${maxSearched}) as next
    where payload ->> 'tenant' = ${tenant} limit ${limit}`,
  )
}

/** Schedules of the platform itself, which run for all tenants. */
export function schedules(db: ReadingDb): Promise<JobSchedule[]> {
  return objects(
    db,
    sql`select queue as service, payload ->> 'job' as job, every_ms::float8 as "everyMs", ${iso('next_at')} as "nextAt",
      ${iso('last_at')} as "lastAt"
    from icosa.schedules order by next_at, name`,
  )
}

const iso = (column: string) => sql`to_char(${raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Removes null columns from rows. */
async function objects<T>(db: ReadingDb, query: Sql): Promise<T[]> {
  const rows = await db.many<{ row: T }>(sql`select json_strip_nulls(to_json(listed)) as row from (${query}) as listed`)
  return rows.map(({ row }) => row)
}
