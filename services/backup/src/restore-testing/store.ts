import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { byName, type ListRequest } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { RestoreTestingPlan, RestoreTestingSelection } from './contract.ts'

export interface TestingPlanRow {
  readonly tenant: string
  readonly name: string
  readonly id: string
  readonly versionId: string
  readonly document: RestoreTestingPlan
  readonly creatorRequestId: string | null
  readonly tags: TagMap
  readonly createdAt: Date
  readonly updatedAt: Date | null
  readonly lastRunAt: Date | null
}

const columns = sql`tenant, name, id, version_id as "versionId", document, creator_request_id as "creatorRequestId", tags,
  created_at as "createdAt", updated_at as "updatedAt", last_run_at as "lastRunAt"`
const is = (tenant: string, name: string) => sql`tenant = ${tenant} and name = ${name}`

export type NewPlan = Omit<TestingPlanRow, 'updatedAt' | 'lastRunAt'>

/** Undefined if the name exists. */
export function insert(db: Db, row: NewPlan): Promise<TestingPlanRow | undefined> {
  return db.maybe(sql`
    insert into backup.restore_testing_plans (tenant, name, id, version_id, document, creator_request_id, tags, created_at)
    values (${row.tenant}, ${row.name}, ${row.id}, ${row.versionId}, ${JSON.stringify(row.document)},
      ${row.creatorRequestId}, ${JSON.stringify(row.tags)}, ${row.createdAt})
    on conflict (tenant, name) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, name: string): Promise<TestingPlanRow | undefined> {
  return db.point(sql`select ${columns} from backup.restore_testing_plans where ${is(tenant, name)}`)
}

/** Locks the plan until the transaction ends. */
export function lock(db: Db, tenant: string, name: string): Promise<TestingPlanRow | undefined> {
  return db.maybe(sql`select ${columns} from backup.restore_testing_plans where ${is(tenant, name)} for update`)
}

export function list(db: ReadingDb, tenant: string, { limit, token }: ListRequest) {
  return byName<TestingPlanRow>(
    { limit, token, query: ['restore testing plans', tenant] },
    ({ name }) => name,
    (after, count) =>
      db.many(sql`
        select ${columns} from backup.restore_testing_plans where tenant = ${tenant} and name > ${after}
        order by name limit ${count}`),
  )
}

export function update(
  db: Db,
  { tenant, name, versionId, document }: TestingPlanRow,
  at: Date,
): Promise<TestingPlanRow> {
  return db.one(sql`
    update backup.restore_testing_plans set version_id = ${versionId}, document = ${JSON.stringify(document)},
      updated_at = ${at}
    where ${is(tenant, name)} returning ${columns}`)
}

export async function setTags(db: Db, { tenant, name }: TestingPlanRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.restore_testing_plans set tags = ${JSON.stringify(tags)} where ${is(tenant, name)}`)
}

export async function setRun(db: Db, { tenant, name }: TestingPlanRow, at: Date): Promise<void> {
  await db.run(sql`update backup.restore_testing_plans set last_run_at = ${at} where ${is(tenant, name)}`)
}

export async function remove(db: Db, { tenant, name }: TestingPlanRow): Promise<void> {
  await db.run(sql`delete from backup.restore_testing_plans where ${is(tenant, name)}`)
}

export interface SelectionRow {
  readonly tenant: string
  readonly plan: string
  readonly name: string
  readonly document: RestoreTestingSelection
  readonly creatorRequestId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date | null
}

const selectionColumns = sql`tenant, plan, name, document, creator_request_id as "creatorRequestId",
  created_at as "createdAt", updated_at as "updatedAt"`
const ofPlan = (tenant: string, plan: string) => sql`tenant = ${tenant} and plan = ${plan}`

export function insertSelection(db: Db, row: Omit<SelectionRow, 'updatedAt'>): Promise<SelectionRow | undefined> {
  return db.maybe(sql`
    insert into backup.restore_testing_selections (tenant, plan, name, document, creator_request_id, created_at)
    values (${row.tenant}, ${row.plan}, ${row.name}, ${JSON.stringify(row.document)}, ${row.creatorRequestId},
      ${row.createdAt})
    on conflict (tenant, plan, name) do nothing returning ${selectionColumns}`)
}

export function findSelection(db: ReadingDb, tenant: string, plan: string, name: string) {
  return db.maybe<SelectionRow>(sql`
    select ${selectionColumns} from backup.restore_testing_selections where ${ofPlan(tenant, plan)} and name = ${name}`)
}

export function selectionsOf(db: ReadingDb, tenant: string, plan: string): Promise<SelectionRow[]> {
  return db.many(sql`
    select ${selectionColumns} from backup.restore_testing_selections where ${ofPlan(tenant, plan)} order by name`)
}

export function listSelections(db: ReadingDb, tenant: string, plan: string, { limit, token }: ListRequest) {
  return byName<SelectionRow>(
    { limit, token, query: ['restore testing selections', tenant, plan] },
    ({ name }) => name,
    (after, count) =>
      db.many(sql`
        select ${selectionColumns} from backup.restore_testing_selections
        where ${ofPlan(tenant, plan)} and name > ${after} order by name limit ${count}`),
  )
}

export function updateSelection(
  db: Db,
  { tenant, plan, name, document }: SelectionRow,
  at: Date,
): Promise<SelectionRow> {
  return db.one(sql`
    update backup.restore_testing_selections set document = ${JSON.stringify(document)}, updated_at = ${at}
    where ${ofPlan(tenant, plan)} and name = ${name} returning ${selectionColumns}`)
}

export async function removeSelection(db: Db, { tenant, plan, name }: SelectionRow): Promise<void> {
  await db.run(sql`delete from backup.restore_testing_selections where ${ofPlan(tenant, plan)} and name = ${name}`)
}

export interface Candidates {
  readonly type: string
  /** Null: all resources of the type. */
  readonly arns: readonly string[] | null
  readonly since: Date
  readonly include: readonly string[] | null
  readonly exclude: readonly string[]
  readonly isRandom: boolean
}

/** One recovery point of every resource: the latest, or any. */
export async function candidates(db: ReadingDb, tenant: string, of: Candidates): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select distinct on (resource_key) id from backup.recovery_points
    where tenant = ${tenant} and resource_type = ${of.type} and status = 'COMPLETED' and not continuous and created_at >= ${of.since}
      and (${of.arns}::text[] is null or resource_key = any(${of.arns}::text[]))
      and (${of.include}::text[] is null or vault = any(${of.include}::text[])) and vault <> all(${of.exclude}::text[])
    order by resource_key, case when ${of.isRandom} then random() end, created_at desc`)
  return rows.map(({ id }) => id)
}
