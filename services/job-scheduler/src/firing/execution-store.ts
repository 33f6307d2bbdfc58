import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { CollectionState } from '../collections/store.ts'
import type { Definition, JobState } from '../jobs/job.ts'
import type { Due } from './execution.ts'

/** A due attempt with its job. */
export interface Loaded extends Due {
  readonly expectedAt: Date
  readonly repeatCount: number
  readonly byHand: boolean
  readonly definition: Definition
  readonly secrets: Buffer | null
  readonly state: JobState
  readonly collectionState: CollectionState
}

const recordsOf = (due: readonly Due[]) => sql`
  jsonb_to_recordset(${JSON.stringify(due)}) as due(tenant text, "jobId" uuid, id text, action text, attempt int)`

const same = sql`execution.tenant = due.tenant and execution.job_id = due."jobId" and execution.id = due.id`
const current = sql`${same} and execution.action = due.action and execution.attempt = due.attempt`

/** Loads current attempts. Those of deleted jobs or collections are omitted. */
export function load(db: ReadingDb, due: readonly Due[]): Promise<Loaded[]> {
  return db.many(sql`
    select due.*, expected_at as "expectedAt", repeat_count as "repeatCount", by_hand as "byHand", definition, secrets,
      job.state, collection.state as "collectionState"
    from ${recordsOf(due)} join job_scheduler.executions as execution on ${current}
    join job_scheduler.jobs as job on job.tenant = due.tenant and job.id = due."jobId"
    join job_scheduler.collections as collection on collection.tenant = job.tenant and collection.id = job.collection_id`)
}

/** Locks executions until the transaction ends, in a fixed order, and returns the IDs of current attempts. */
export async function lock(db: Db, due: readonly Due[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select execution.id from job_scheduler.executions as execution join ${recordsOf(due)} on ${current}
    order by execution.tenant, execution.job_id, execution.id for update of execution`)
  return new Set(rows.map(({ id }) => id))
}

/** Sets the next attempt of each execution. */
export async function scheduleFollowing(db: Db, following: readonly Due[]): Promise<void> {
  if (following.length === 0) return
  await db.run(sql`
    update job_scheduler.executions as execution set action = due.action, attempt = due.attempt
    from ${recordsOf(following)} where ${same}`)
}

/** Deletes executions, and completes jobs without further occurrences. */
export async function end(db: Db, ended: readonly Due[], isFaulted: (due: Due) => boolean): Promise<void> {
  if (ended.length === 0) return
  await db.run(sql`delete from job_scheduler.executions as execution using ${recordsOf(ended)} where ${same}`)
  const jobs = ended.map((due) => ({ tenant: due.tenant, id: due.jobId, faulted: isFaulted(due) }))
  await db.run(sql`
    update job_scheduler.jobs as job set state = case when faulted then 'Faulted' else 'Completed' end
    from (select tenant, id, bool_or(faulted) as faulted
      from jsonb_to_recordset(${JSON.stringify(jobs)}) as o(tenant text, id uuid, faulted boolean) group by 1, 2) as over
    where job.tenant = over.tenant and job.id = over.id and state = 'Enabled' and next_execution_at is null
      and not exists (
        select 1 from job_scheduler.executions as execution
        where execution.tenant = job.tenant and execution.job_id = job.id)`)
}
