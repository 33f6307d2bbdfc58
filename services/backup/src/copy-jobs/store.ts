import { type Db, join, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { Lifecycle, RecoveryPointCreator } from '../shapes/contract.ts'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'

export interface NewCopy {
  readonly tenant: string
  readonly id: string
  readonly sourceVault: string
  readonly sourcePointId: string
  readonly vault: string
  readonly pointId: string
  readonly resourceArn: string
  readonly resourceType: string
  readonly resourceName: string
  readonly roleArn: string
  readonly bytes: number
  readonly createdBy: RecoveryPointCreator | null
  readonly lifecycle: Lifecycle
  readonly createdAt: Date
}

export interface CopyJobRow extends NewCopy {
  readonly state: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'FAILED'
  readonly message: string | null
  readonly completedAt: Date | null
}

const columns = sql`tenant, id, source_vault as "sourceVault", source_point_id as "sourcePointId", vault,
  point_id as "pointId", resource_arn as "resourceArn", resource_type as "resourceType", resource_name as "resourceName",
  role_arn as "roleArn", state, message, bytes::float8 as bytes, created_by as "createdBy", lifecycle,
  created_at as "createdAt", completed_at as "completedAt"`
const is = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`

export async function insert(db: Db, row: NewCopy): Promise<void> {
  await db.run(sql`
    insert into backup.copy_jobs (tenant, id, source_vault, source_point_id, vault, point_id, resource_arn, resource_key,
      resource_type, resource_name, role_arn, state, bytes, created_by, lifecycle, created_at)
    values (${row.tenant}, ${row.id}, ${row.sourceVault}, ${row.sourcePointId}, ${row.vault}, ${row.pointId},
      ${row.resourceArn}, lower(${row.resourceArn}), ${row.resourceType}, ${row.resourceName}, ${row.roleArn}, 'CREATED',
      ${row.bytes}, ${row.createdBy && JSON.stringify(row.createdBy)}, ${JSON.stringify(row.lifecycle)},
      ${row.createdAt})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<CopyJobRow | undefined> {
  return db.point(sql`select ${columns} from backup.copy_jobs where ${is(tenant, id)}`)
}

export async function setRunning(db: Db, tenant: string, id: string): Promise<boolean> {
  const changed = await db.run(sql`
    update backup.copy_jobs set state = 'RUNNING' where ${is(tenant, id)} and completed_at is null`)
  return changed === 1
}

export interface Ending {
  readonly state: 'COMPLETED' | 'FAILED'
  readonly message?: string
  readonly at: Date
}

export async function end(db: Db, tenant: string, id: string, { state, message, at }: Ending): Promise<boolean> {
  const changed = await db.run(sql`
    update backup.copy_jobs set state = ${state}, message = ${message ?? null}, completed_at = ${at}
    where ${is(tenant, id)} and completed_at is null`)
  return changed === 1
}

export interface Filter {
  /** In lower case. */
  readonly resourceArns?: readonly string[] | undefined
  readonly state?: string | undefined
  readonly resourceType?: string | undefined
  readonly vault?: string | undefined
  readonly createdBefore?: string | undefined
  readonly createdAfter?: string | undefined
  readonly completeBefore?: string | undefined
  readonly completeAfter?: string | undefined
}

export function list(db: ReadingDb, tenant: string, filter: Filter, { limit, token }: ListRequest) {
  return newestFirst<CopyJobRow>({ limit, token, query: ['copy jobs', tenant, filter] }, (older, count) =>
    db.many(
      varying(sql`
        select ${columns} from backup.copy_jobs
        where ${join([sql`tenant = ${tenant}`, older, ...conditionsOf(filter)], ' and ')}
        order by created_at desc, id desc limit ${count}`),
    ),
  )
}

function conditionsOf(filter: Filter): Sql[] {
  const { resourceArns, state, resourceType, vault } = filter
  return [
    ...(resourceArns === undefined ? [] : [sql`resource_key = any(${resourceArns}::text[])`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(resourceType === undefined ? [] : [sql`resource_type = ${resourceType}`]),
    ...(vault === undefined ? [] : [sql`vault = ${vault}`]),
    ...(filter.createdBefore === undefined ? [] : [sql`created_at < ${filter.createdBefore}`]),
    ...(filter.createdAfter === undefined ? [] : [sql`created_at > ${filter.createdAfter}`]),
    ...(filter.completeBefore === undefined ? [] : [sql`completed_at < ${filter.completeBefore}`]),
    ...(filter.completeAfter === undefined ? [] : [sql`completed_at > ${filter.completeAfter}`]),
  ]
}
