import { type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'

export const statuses = ['Completed', 'Failed', 'Postponed'] as const
export type Status = (typeof statuses)[number]
export type ActionName = 'MainAction' | 'ErrorAction'

/** A finished attempt. */
export interface Entry {
  readonly tenant: string
  readonly jobId: string
  readonly executionId: string
  readonly action: ActionName
  readonly attempt: number
  readonly repeatCount: number
  readonly status: Status
  readonly message: string
  readonly expectedAt: Date
  readonly startedAt: Date
  readonly endedAt: Date
  /** Whether the occurrence was abandoned with it. */
  readonly faulted: boolean
}

const maxEntries = 1_000

/** Writes attempts numbered by job, updates the jobs' counts, and deletes the oldest. */
export async function record(db: Db, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const numbered = await db.many<Numbered>(sql`
    with entry as materialized (
      select *, row_number() over (partition by tenant, "jobId" order by "endedAt", "executionId") as nth
      from jsonb_to_recordset(${JSON.stringify(entries)}) as e(tenant text, "jobId" uuid, "executionId" text,
        action text, attempt int, "repeatCount" int, status text, message text, "expectedAt" timestamptz,
        "startedAt" timestamptz, "endedAt" timestamptz, faulted boolean)
    ), tally as (
      select tenant, "jobId", count(*) as entries, count(*) filter (where main and attempt = 0) as executions,
        count(*) filter (where main and status = 'Failed') as failures, count(*) filter (where faulted) as faults,
        max("startedAt") filter (where main) as latest
      from (select *, action = 'MainAction' and status <> 'Postponed' as main from entry) as one group by 1, 2
    ), counted as (
      update job_scheduler.statuses as status set history_number = history_number + entries,
        execution_count = execution_count + executions, failure_count = failure_count + failures,
        faulted_count = faulted_count + faults, last_execution_at = greatest(last_execution_at, latest)
      from tally where status.tenant = tally.tenant and status.job_id = tally."jobId"
      returning status.tenant, status.job_id, history_number - entries as before
    )
    insert into job_scheduler.history (tenant, job_id, number, execution_id, action, attempt, repeat_count, status,
      message, expected_at, started_at, ended_at)
    select entry.tenant, "jobId", before + nth, "executionId", action, attempt, "repeatCount", status, message,
      "expectedAt", "startedAt", "endedAt"
    from entry join counted on counted.tenant = entry.tenant and counted.job_id = entry."jobId"
    returning tenant, job_id as "jobId", number - ${maxEntries} as "tooOld"`)
  await deleteOldest(
    db,
    numbered.filter(({ tooOld }) => Number(tooOld) > 0),
  )
}

interface Numbered {
  readonly tenant: string
  readonly jobId: string
  /** Highest number of the job to be deleted. */
  readonly tooOld: string
}

async function deleteOldest(db: Db, numbered: readonly Numbered[]): Promise<void> {
  if (numbered.length === 0) return
  await db.run(sql`
    delete from job_scheduler.history using (select tenant, "jobId", max("tooOld") as latest
      from jsonb_to_recordset(${JSON.stringify(numbered)}) as n(tenant text, "jobId" uuid, "tooOld" bigint)
      group by 1, 2) as old
    where history.tenant = old.tenant and history.job_id = old."jobId" and history.number <= old.latest`)
}

export interface Row extends Omit<Entry, 'faulted' | 'tenant' | 'jobId'> {
  readonly number: string
}

export interface HistoryQuery {
  readonly statuses: readonly Status[] | undefined
  readonly top: number
  readonly skip: number
  readonly token: string | undefined
}

/** Latest first. */
export function list(
  db: ReadingDb,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  { statuses: requested, top, skip, token }: HistoryQuery,
): Promise<Page<Row>> {
  return readPage<Row>(
    { limit: top, token, query: ['history', tenant, id, requested], at: 'query/$skipToken' },
    ({ number }) => [number],
    (after, limit) =>
      db.many(sql`
        select number, execution_id as "executionId", action, attempt, repeat_count as "repeatCount", status, message,
          expected_at as "expectedAt", started_at as "startedAt", ended_at as "endedAt"
        from job_scheduler.history where tenant = ${tenant} and job_id = ${id}
          ${after ? sql`and number < ${after[0]}::bigint` : empty}
          ${requested ? sql`and status = any(${requested})` : empty}
        order by number desc limit ${limit} offset ${after ? 0 : skip}`),
  )
}

/** Returns the latest attempts of all jobs of a tenant, latest first. */
export function latest(
  db: ReadingDb,
  tenant: string,
  max: number,
): Promise<(Pick<Entry, 'status' | 'message' | 'endedAt'> & { readonly name: string })[]> {
  return db.many(sql`
    select name, status, message, ended_at as "endedAt"
    from job_scheduler.history join job_scheduler.jobs on jobs.tenant = history.tenant and jobs.id = history.job_id
    where history.tenant = ${tenant} order by ended_at desc limit ${max}`)
}
