import { type Db, type ReadingDb, sql, varying } from '@icosa/kernel'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { BackupPlan } from './contract.ts'

/** A version of a plan, with the fields of the plan. */
export interface PlanRow {
  readonly tenant: string
  readonly planId: string
  /** Of the version. */
  readonly id: string
  readonly document: BackupPlan
  readonly createdAt: Date
  readonly deletedAt: Date | null
  readonly creatorRequestId: string | null
  readonly tags: TagMap
  readonly lastRunAt: Date | null
}

const columns = sql`p.tenant, p.id as "planId", v.id, v.document, v.created_at as "createdAt", p.deleted_at as "deletedAt",
  p.creator_request_id as "creatorRequestId", p.tags, p.last_run_at as "lastRunAt"`
const versions = sql`backup.plans p join backup.plan_versions v on v.tenant = p.tenant and v.plan_id = p.id`
const current = sql`${versions} and v.id = p.version_id`

export interface NewPlan {
  readonly tenant: string
  readonly planId: string
  readonly versionId: string
  readonly document: BackupPlan
  readonly creatorRequestId: string | null
  readonly tags: TagMap
  readonly at: Date
}

export async function insert(db: Db, { tenant, planId, versionId, at, ...row }: NewPlan): Promise<void> {
  await db.run(sql`
    insert into backup.plans (tenant, id, name, version_id, creator_request_id, tags, created_at)
    values (${tenant}, ${planId}, ${row.document.BackupPlanName}, ${versionId}, ${row.creatorRequestId},
      ${JSON.stringify(row.tags)}, ${at})`)
  await addVersion(db, { tenant, planId, versionId, document: row.document, at })
}

export async function addVersion(
  db: Db,
  { tenant, planId, versionId, document, at }: Pick<NewPlan, 'tenant' | 'planId' | 'versionId' | 'document' | 'at'>,
): Promise<void> {
  await db.run(sql`
    insert into backup.plan_versions (tenant, plan_id, id, document, created_at)
    values (${tenant}, ${planId}, ${versionId}, ${JSON.stringify(document)}, ${at})`)
  await db.run(sql`
    update backup.plans set version_id = ${versionId}, name = ${document.BackupPlanName}
    where tenant = ${tenant} and id = ${planId}`)
}

export function find(db: ReadingDb, tenant: string, planId: string): Promise<PlanRow | undefined> {
  return db.maybe(sql`select ${columns} from ${current} where p.tenant = ${tenant} and p.id = ${planId}`)
}

/** Locks the plan until the transaction ends. */
export function lock(db: Db, tenant: string, planId: string): Promise<PlanRow | undefined> {
  return db.maybe(sql`
    select ${columns} from ${current} where p.tenant = ${tenant} and p.id = ${planId} for update of p`)
}

export function findVersion(db: ReadingDb, tenant: string, planId: string, id: string): Promise<PlanRow | undefined> {
  return db.maybe(sql`
    select ${columns} from ${versions} where p.tenant = ${tenant} and p.id = ${planId} and v.id::text = ${id}`)
}

/** Plans of this name that are not deleted. */
export function listByName(db: ReadingDb, tenant: string, name: string): Promise<PlanRow[]> {
  return db.many(sql`
    select ${columns} from ${current} where p.tenant = ${tenant} and p.name = ${name} and p.deleted_at is null
    order by p.created_at limit 100`)
}

export function list(db: ReadingDb, tenant: string, includeDeleted: boolean, { limit, token }: ListRequest) {
  const query = ['plans', tenant, includeDeleted]
  return newestFirst<PlanRow>({ limit, token, query }, (older, count) =>
    db.many(
      varying(sql`
        select * from (select ${columns}, v.created_at, p.tenant as of_tenant from ${current}
          where p.tenant = ${tenant} and (${includeDeleted} or p.deleted_at is null)) as found
        where ${older} order by created_at desc, id desc limit ${count}`),
    ),
  )
}

export function listVersions(db: ReadingDb, tenant: string, planId: string, { limit, token }: ListRequest) {
  return newestFirst<PlanRow>({ limit, token, query: ['plan versions', tenant, planId] }, (older, count) =>
    db.many(
      varying(sql`
        select * from (select ${columns}, v.created_at from ${versions}
          where p.tenant = ${tenant} and p.id = ${planId}) as found
        where ${older} order by created_at desc, id desc limit ${count}`),
    ),
  )
}

export async function remove(db: Db, { tenant, planId }: PlanRow, at: Date): Promise<void> {
  await db.run(sql`update backup.plans set deleted_at = ${at} where tenant = ${tenant} and id = ${planId}`)
}

export async function setTags(db: Db, { tenant, planId }: PlanRow, tags: TagMap): Promise<void> {
  await db.run(sql`
    update backup.plans set tags = ${JSON.stringify(tags)} where tenant = ${tenant} and id = ${planId}`)
}

export async function setRun(db: Db, { tenant, planId }: PlanRow, at: Date): Promise<void> {
  await db.run(sql`update backup.plans set last_run_at = ${at} where tenant = ${tenant} and id = ${planId}`)
}
