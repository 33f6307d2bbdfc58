import { type Db, sql } from '@icosa/kernel'
import type { Timing } from '../jobs/job.ts'

export interface AheadJob extends Timing {
  readonly tenant: string
  readonly id: string
}

/** Locks jobs whose last execution is in the future. */
export function claimAhead(db: Db, now: Date, limit: number): Promise<AheadJob[]> {
  return db.many(sql`
    select job.tenant, id, definition - 'action' as definition, starts_at as "startsAt",
      next_execution_at as "nextExecutionAt", resumed_at as "resumedAt", occurrence_count as "occurrenceCount",
      made_up_for as "madeUpFor"
    from job_scheduler.jobs as job join job_scheduler.statuses as status
      on status.tenant = job.tenant and status.job_id = job.id
    where state = 'Enabled' and next_execution_at > last_execution_at and definition ? 'recurrence'
      and last_execution_at > ${now}::timestamptz + interval '10 seconds'
    order by next_execution_at desc limit ${limit} for no key update of job skip locked`)
}

/** Sets the next executions, and resets last executions that are in the future. */
export async function setNext(
  db: Db,
  now: Date,
  jobs: readonly { readonly tenant: string; readonly id: string; readonly at: Date }[],
): Promise<void> {
  const rows = jobs.map(({ tenant, id, at }) => ({ tenant, id, at }))
  await db.run(sql`
    update job_scheduler.statuses as status set last_execution_at = (
      select max(started_at) from job_scheduler.history where history.tenant = status.tenant
        and history.job_id = status.job_id and action = 'MainAction' and history.status <> 'Postponed' and started_at <= ${now})
    from jsonb_to_recordset(${JSON.stringify(rows)}) as earlier(tenant text, id uuid)
    where status.tenant = earlier.tenant and status.job_id = earlier.id`)
  await db.run(sql`
    update job_scheduler.jobs as job set next_execution_at = at
    from jsonb_to_recordset(${JSON.stringify(rows)}) as earlier(tenant text, id uuid, at timestamptz)
    where job.tenant = earlier.tenant and job.id = earlier.id`)
}
