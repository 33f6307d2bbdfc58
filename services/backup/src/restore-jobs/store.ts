import { type Db, join, type ReadingDb, type RestoreMetadata, type Sql, sql, varying } from '@icosa/kernel'
import type { PointRow } from '../recovery-points/store.ts'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { RestoreJob, ValidationStatus } from './contract.ts'

export interface NewRestore {
  readonly tenant: string
  readonly id: string
  readonly pointId: string
  readonly vault: string
  readonly resourceArn: string
  readonly resourceType: string
  readonly roleArn: string
  readonly bytes: number
  readonly metadata: RestoreMetadata
  readonly copyTags: boolean
  readonly pointCreatedAt: Date
  /** The restore testing plan that started it. */
  readonly testingPlan: string | null
  /** How long the restored resource is available for validation. */
  readonly validationHours: number | null
  readonly createdAt: Date
}

export interface RestoreJobRow extends NewRestore {
  readonly status: NonNullable<RestoreJob['Status']>
  readonly message: string | null
  readonly createdResourceArn: string | null
  readonly validationStatus: ValidationStatus | null
  readonly validationMessage: string | null
  readonly deletionStatus: RestoreJob['DeletionStatus'] | null
  readonly deletionMessage: string | null
  readonly completedAt: Date | null
}

const columns = sql`tenant, id, point_id as "pointId", vault, resource_arn as "resourceArn",
  resource_type as "resourceType", role_arn as "roleArn", status, message, bytes::float8 as bytes, metadata,
  copy_tags as "copyTags", created_resource_arn as "createdResourceArn", point_created_at as "pointCreatedAt",
  testing_plan as "testingPlan", validation_hours as "validationHours", validation_status as "validationStatus", validation_message as "validationMessage",
  deletion_status as "deletionStatus", deletion_message as "deletionMessage", created_at as "createdAt",
  completed_at as "completedAt"`
const is = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`

/** Columns copied from the recovery point. */
export const ofPoint = ({ tenant, id, vault, resourceArn, resourceType, bytes, createdAt }: PointRow) => ({
  tenant,
  pointId: id,
  vault,
  resourceArn,
  resourceType,
  bytes,
  pointCreatedAt: createdAt,
})

export async function insert(db: Db, row: NewRestore): Promise<void> {
  await db.run(sql`
    insert into backup.restore_jobs (tenant, id, point_id, vault, resource_arn, resource_key, resource_type, role_arn,
      status, bytes, metadata, copy_tags, point_created_at, testing_plan, validation_hours,
      created_at)
    values (${row.tenant}, ${row.id}, ${row.pointId}, ${row.vault}, ${row.resourceArn}, lower(${row.resourceArn}),
      ${row.resourceType}, ${row.roleArn}, 'PENDING', ${row.bytes}, ${JSON.stringify(row.metadata)}, ${row.copyTags},
      ${row.pointCreatedAt}, ${row.testingPlan}, ${row.validationHours}, ${row.createdAt})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<RestoreJobRow | undefined> {
  return db.point(sql`select ${columns} from backup.restore_jobs where ${is(tenant, id)}`)
}

export async function setRunning(db: Db, tenant: string, id: string): Promise<boolean> {
  const changed = await db.run(sql`
    update backup.restore_jobs set status = 'RUNNING' where ${is(tenant, id)} and completed_at is null`)
  return changed === 1
}

export interface Ending {
  readonly status: 'COMPLETED' | 'FAILED'
  readonly message?: string
  readonly createdResourceArn?: string
  readonly at: Date
}

export async function end(db: Db, tenant: string, id: string, ending: Ending): Promise<boolean> {
  const { status, message, createdResourceArn, at } = ending
  const changed = await db.run(sql`
    update backup.restore_jobs set status = ${status}, message = ${message ?? null},
      created_resource_arn = ${createdResourceArn ?? null}, completed_at = ${at}
    where ${is(tenant, id)} and completed_at is null`)
  return changed === 1
}

export async function setValidation(
  db: Db,
  tenant: string,
  id: string,
  status: ValidationStatus,
  message: string | null,
) {
  await db.run(sql`
    update backup.restore_jobs set validation_status = ${status}, validation_message = ${message}
    where ${is(tenant, id)}`)
}

/** Sets whether the resource of a restore test is being deleted, was deleted or could not be deleted. */
export async function setDeletion(
  db: Db,
  tenant: string,
  id: string,
  status: NonNullable<RestoreJob['DeletionStatus']>,
  message: string | null = null,
): Promise<void> {
  await db.run(sql`
    update backup.restore_jobs set deletion_status = ${status}, deletion_message = ${message},
      validation_status = case when validation_status = 'VALIDATING' then 'TIMED_OUT' else validation_status end
    where ${is(tenant, id)}`)
}

export interface Filter {
  /** In lower case. */
  readonly resourceArns?: readonly string[] | undefined
  readonly resourceType?: string | undefined
  readonly status?: string | undefined
  readonly testingPlan?: string | undefined
  readonly createdBefore?: string | undefined
  readonly createdAfter?: string | undefined
  readonly completeBefore?: string | undefined
  readonly completeAfter?: string | undefined
  readonly pointBefore?: string | undefined
  readonly pointAfter?: string | undefined
}

export function list(db: ReadingDb, tenant: string, filter: Filter, { limit, token }: ListRequest) {
  return newestFirst<RestoreJobRow>({ limit, token, query: ['restore jobs', tenant, filter] }, (older, count) =>
    db.many(
      varying(sql`
        select ${columns} from backup.restore_jobs
        where ${join([sql`tenant = ${tenant}`, older, ...conditionsOf(filter)], ' and ')}
        order by created_at desc, id desc limit ${count}`),
    ),
  )
}

function conditionsOf(filter: Filter): Sql[] {
  const { resourceArns, resourceType, status, testingPlan } = filter
  return [
    ...(resourceArns === undefined ? [] : [sql`resource_key = any(${resourceArns}::text[])`]),
    ...(resourceType === undefined ? [] : [sql`resource_type = ${resourceType}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(testingPlan === undefined ? [] : [sql`testing_plan = ${testingPlan}`]),
    ...(filter.createdBefore === undefined ? [] : [sql`created_at < ${filter.createdBefore}`]),
    ...(filter.createdAfter === undefined ? [] : [sql`created_at > ${filter.createdAfter}`]),
    ...(filter.completeBefore === undefined ? [] : [sql`completed_at < ${filter.completeBefore}`]),
    ...(filter.completeAfter === undefined ? [] : [sql`completed_at > ${filter.completeAfter}`]),
    ...(filter.pointBefore === undefined ? [] : [sql`point_created_at < ${filter.pointBefore}`]),
    ...(filter.pointAfter === undefined ? [] : [sql`point_created_at > ${filter.pointAfter}`]),
  ]
}
