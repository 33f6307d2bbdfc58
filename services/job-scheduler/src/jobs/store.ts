import { type Db, empty, type Page, type ReadingDb, raw, readPage, sql } from '@icosa/kernel'
import { type CollectionAddress, type JobAddress, keyOf } from '../collections/address.ts'
import type { CollectionState } from '../collections/store.ts'
import type { Definition, JobRow, JobState } from './job.ts'
import type { Scheduled } from './timing.ts'

/** Key of a collection. */
export interface Owner {
  readonly tenant: string
  readonly id: string
}

const columns = sql`job.tenant, job.collection_id as "collectionId", job.id, job.name, definition, secrets, job.state,
  collection_enabled as "collectionEnabled", starts_at as "startsAt", next_execution_at as "nextExecutionAt",
  resumed_at as "resumedAt", occurrence_count as "occurrenceCount", made_up_for as "madeUpFor",
  execution_count as "executionCount", failure_count as "failureCount", faulted_count as "faultedCount",
  last_execution_at as "lastExecutionAt"`

const tables = sql`job_scheduler.jobs as job join job_scheduler.statuses as status
  on status.tenant = job.tenant and status.job_id = job.id`

const rows = sql`select ${columns} from ${tables}`

const at = ({ tenant, id }: Owner, name: string) => sql`
  job.tenant = ${tenant} and collection_id = ${id} and name_key = ${keyOf(name)}`

/** The columns that a write sets. */
export interface Written extends Scheduled {
  readonly definition: Definition
  readonly secrets: Buffer | null
}

/** Returns false if the name is in use. */
export async function insert(
  db: Db,
  { tenant, id: collectionId }: Owner,
  job: Written & { readonly id: string; readonly name: string; readonly collectionEnabled: boolean },
  now: Date,
): Promise<boolean> {
  const inserted = await db.run(sql`
    with created as (
      insert into job_scheduler.jobs (tenant, collection_id, name_key, id, name, definition, secrets, state,
        collection_enabled, starts_at, next_execution_at, occurrence_count, created_at, updated_at)
      values (${tenant}, ${collectionId}, ${keyOf(job.name)}, ${job.id}, ${job.name},
        ${JSON.stringify(job.definition)}, ${job.secrets}, ${job.state}, ${job.collectionEnabled}, ${job.startsAt},
        ${job.nextExecutionAt}, ${job.occurrenceCount}, ${now}, ${now})
      on conflict do nothing returning tenant, id
    )
    insert into job_scheduler.statuses (tenant, job_id) select tenant, id from created`)
  return inserted === 1
}

export function find(db: ReadingDb, owner: Owner, name: string): Promise<JobRow | undefined> {
  return db.point(sql`${rows} where ${at(owner, name)}`)
}

/** A job with its collection. */
export interface JobInCollection extends JobRow, CollectionAddress {
  readonly collectionState: CollectionState
}

/** Finds job and collection in one read; undefined if either is missing. */
export function findAt(db: ReadingDb, tenant: string, address: JobAddress): Promise<JobInCollection | undefined> {
  const { subscriptionId, resourceGroupName, jobCollectionName, jobName } = address
  return db.point(sql`
    select ${columns}, subscription as "subscriptionId", resource_group as "resourceGroupName",
      collection.name as "jobCollectionName", collection.state as "collectionState"
    from ${tables} join job_scheduler.collections as collection
      on collection.tenant = job.tenant and collection.id = job.collection_id
    where collection.tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)}
      and group_key = ${keyOf(resourceGroupName)} and collection.name_key = ${keyOf(jobCollectionName)}
      and job.name_key = ${keyOf(jobName)}`)
}

export function lock(db: Db, owner: Owner, name: string): Promise<JobRow | undefined> {
  return db.maybe(sql`${rows} where ${at(owner, name)} for no key update of job`)
}

export async function change(db: Db, { tenant, id }: Owner, job: Written, now: Date): Promise<void> {
  await db.run(sql`
    update job_scheduler.jobs set definition = ${JSON.stringify(job.definition)}, secrets = ${job.secrets},
      state = ${job.state}, starts_at = ${job.startsAt}, next_execution_at = ${job.nextExecutionAt},
      occurrence_count = ${job.occurrenceCount}, updated_at = ${now}
    where tenant = ${tenant} and id = ${id}`)
}

/** Returns false if there was none. */
export async function remove(db: Db, owner: Owner, name: string): Promise<boolean> {
  const row = await db.maybe<{ id: string }>(sql`
    delete from job_scheduler.jobs as job where ${at(owner, name)} returning id`)
  if (row) await removeTraces(db, owner.tenant, [row.id])
  return row !== undefined
}

/** Deletes a batch of jobs of a deleted collection. Returns their number. */
export async function removeBatch(db: Db, { tenant, id }: Owner, limit: number): Promise<number> {
  const removed = await db.many<{ id: string }>(sql`
    delete from job_scheduler.jobs where tenant = ${tenant} and id in
      (select id from job_scheduler.jobs where tenant = ${tenant} and collection_id = ${id} limit ${limit})
    returning id`)
  await removeTraces(
    db,
    tenant,
    removed.map((row) => row.id),
  )
  return removed.length
}

/** A deleted job is not fired any more; without executions, no result is written. */
async function removeTraces(db: Db, tenant: string, jobs: readonly string[]): Promise<void> {
  for (const table of ['executions', 'statuses', 'history'])
    await db.run(sql`
      delete from job_scheduler.${raw(table)} where tenant = ${tenant} and job_id = any(${jobs}::uuid[])`)
}

/** Updates `collection_enabled` of a batch of jobs. Returns their number. */
export function setCollectionEnabled(
  db: Db,
  { tenant, id }: Owner,
  enabled: boolean,
  now: Date,
  limit: number,
): Promise<number> {
  return db.run(sql`
    update job_scheduler.jobs set collection_enabled = ${enabled},
      resumed_at = case when ${enabled} then ${now}::timestamptz else resumed_at end
    where tenant = ${tenant} and id in (
      select id from job_scheduler.jobs
      where tenant = ${tenant} and collection_id = ${id} and collection_enabled <> ${enabled} limit ${limit})`)
}

export interface ListQuery {
  readonly states: readonly JobState[] | undefined
  readonly top: number
  readonly skip: number
  readonly token: string | undefined
}

export function list(
  db: ReadingDb,
  { tenant, id }: Owner,
  { states, top, skip, token }: ListQuery,
): Promise<Page<JobRow>> {
  return readPage<JobRow>(
    { limit: top, token, query: ['jobs', tenant, id, states], at: 'query/$skipToken' },
    ({ name }) => [keyOf(name)],
    (after, limit) =>
      db.many(sql`
        ${rows} where job.tenant = ${tenant} and collection_id = ${id} and name_key > ${after?.[0] ?? ''}
          ${states ? sql`and state = any(${states})` : empty}
        order by name_key limit ${limit} offset ${after ? 0 : skip}`),
  )
}
