import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { BackupSelection } from './contract.ts'

export interface SelectionRow {
  readonly tenant: string
  readonly planId: string
  readonly id: string
  readonly document: BackupSelection
  readonly creatorRequestId: string | null
  readonly createdAt: Date
}

const columns = sql`tenant, plan_id as "planId", id, document, creator_request_id as "creatorRequestId",
  created_at as "createdAt"`
const ofPlan = (tenant: string, planId: string) => sql`tenant = ${tenant} and plan_id = ${planId}`

/** Undefined if the plan has a selection of that name. */
export function insert(db: Db, row: SelectionRow): Promise<SelectionRow | undefined> {
  return db.maybe(sql`
    insert into backup.selections (tenant, plan_id, id, name, document, creator_request_id, created_at)
    values (${row.tenant}, ${row.planId}, ${row.id}, ${row.document.SelectionName}, ${JSON.stringify(row.document)},
      ${row.creatorRequestId}, ${row.createdAt})
    on conflict (tenant, plan_id, name) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, planId: string, id: string): Promise<SelectionRow | undefined> {
  return db.maybe(sql`select ${columns} from backup.selections where ${ofPlan(tenant, planId)} and id = ${id}`)
}

export function findByName(db: ReadingDb, tenant: string, planId: string, name: string) {
  return db.maybe<SelectionRow>(
    sql`select ${columns} from backup.selections where ${ofPlan(tenant, planId)} and name = ${name}`,
  )
}

/** All selections of a plan, oldest first: there are few. */
export function all(db: ReadingDb, tenant: string, planId: string): Promise<SelectionRow[]> {
  return db.many(sql`
    select ${columns} from backup.selections where ${ofPlan(tenant, planId)} order by created_at, id`)
}

export async function count(db: ReadingDb, tenant: string, planId: string): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from backup.selections where ${ofPlan(tenant, planId)}`)
  return row.count
}

export const hasAny = async (db: ReadingDb, tenant: string, planId: string) => (await count(db, tenant, planId)) > 0

export function list(db: ReadingDb, tenant: string, planId: string, { limit, token }: ListRequest) {
  return newestFirst<SelectionRow>({ limit, token, query: ['selections', tenant, planId] }, (older, count) =>
    db.many(sql`
      select ${columns} from backup.selections where ${ofPlan(tenant, planId)} and ${older}
      order by created_at desc, id desc limit ${count}`),
  )
}

export async function remove(db: Db, { tenant, planId, id }: SelectionRow): Promise<void> {
  await db.run(sql`delete from backup.selections where ${ofPlan(tenant, planId)} and id = ${id}`)
}
