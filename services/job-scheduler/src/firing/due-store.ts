import { type Db, sql } from '@icosa/kernel'
import type { Timing } from '../jobs/job.ts'
import type { Due } from './execution.ts'
import type { Plan } from './plan.ts'

export interface DueJob extends Timing {
  readonly tenant: string
  readonly id: string
}

const isDue = (until: Date) =>
  sql`state = 'Enabled' and collection_enabled and next_execution_at is not null and next_execution_at <= ${until}`

/** Selects a row if any job is due until then. */
export const anyDue = (until: Date) => sql`select from job_scheduler.jobs where ${isDue(until)}`

/** Locks jobs due until then, earliest first. Concurrent callers get different ones. */
export function claimDue(db: Db, until: Date, limit: number): Promise<DueJob[]> {
  return db.many(sql`
    select tenant, id, definition - 'action' as definition, starts_at as "startsAt",
      next_execution_at as "nextExecutionAt", resumed_at as "resumedAt", occurrence_count as "occurrenceCount",
      made_up_for as "madeUpFor"
    from job_scheduler.jobs
    where ${isDue(until)}
    order by next_execution_at limit ${limit} for no key update skip locked`)
}

export interface Planned {
  readonly job: DueJob
  readonly plan: Plan
}

/** A job without further occurrences and executions is completed. */
export async function advance(db: Db, planned: readonly Planned[]): Promise<void> {
  const rows = planned.map(({ job, plan }) => ({
    tenant: job.tenant,
    id: job.id,
    nextAt: plan.nextExecutionAt,
    occurrences: plan.occurrenceCount,
    madeUpFor: plan.madeUpFor,
    isOver: plan.nextExecutionAt === null && plan.times.length === 0,
  }))
  await db.run(sql`
    update job_scheduler.jobs as job set next_execution_at = "nextAt", occurrence_count = occurrences,
      made_up_for = "madeUpFor", state = case when "isOver" then 'Completed' else state end
    from jsonb_to_recordset(${JSON.stringify(rows)}) as plan(tenant text, id uuid, "nextAt" timestamptz,
      occurrences int, "madeUpFor" int, "isOver" boolean)
    where job.tenant = plan.tenant and job.id = plan.id`)
}

export interface NewExecution {
  readonly tenant: string
  readonly jobId: string
  readonly id: string
  readonly expectedAt: Date
  readonly repeatCount: number
  readonly byHand: boolean
}

/** Returns those that did not exist. */
export async function insert(db: Db, executions: readonly NewExecution[]): Promise<Due[]> {
  if (executions.length === 0) return []
  return db.many(sql`
    insert into job_scheduler.executions (tenant, job_id, id, expected_at, repeat_count, by_hand)
    select tenant, "jobId", id, "expectedAt", "repeatCount", "byHand"
    from jsonb_to_recordset(${JSON.stringify(executions)}) as e(tenant text, "jobId" uuid, id text,
      "expectedAt" timestamptz, "repeatCount" int, "byHand" boolean)
    on conflict do nothing returning tenant, job_id as "jobId", id, action, attempt`)
}
