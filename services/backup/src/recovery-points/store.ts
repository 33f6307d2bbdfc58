import { type Db, join, type ReadingDb, type RestoreMetadata, type Sql, sql, varying } from '@icosa/kernel'
import type { RecoveryPointCreator } from '../shapes/contract.ts'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { VaultRow } from '../vaults/store.ts'

export interface NewPoint {
  readonly tenant: string
  readonly id: string
  readonly vault: string
  readonly resourceArn: string
  readonly resourceType: string
  readonly resourceName: string
  /** The name of its file in the repository, and the snapshot that contains it. */
  readonly attempt: string
  readonly snapshot: string
  readonly bytes: number
  readonly metadata: RestoreMetadata
  /** Tags of the resource, for restores that copy them. */
  readonly resourceTags: TagMap
  readonly tags: TagMap
  readonly roleArn: string
  readonly createdBy: RecoveryPointCreator | null
  readonly sourceVault: string | null
  readonly createdAt: Date
  readonly completedAt: Date
  readonly coldAfterDays: number | null
  readonly deleteAfterDays: number | null
  readonly optIn: boolean | null
  readonly deleteAt: Date | null
  /** Whether it can be restored to any time; its data is then not in the repository. */
  readonly continuous: boolean
}

export interface PointRow extends NewPoint {
  readonly status: 'COMPLETED' | 'DELETING' | 'EXPIRED'
  readonly statusMessage: string | null
  readonly lastRestoredAt: Date | null
  readonly vaultKind: VaultRow['kind']
}

const columns = sql`tenant, id, vault, resource_arn as "resourceArn", resource_type as "resourceType",
  resource_name as "resourceName", attempt, snapshot, bytes::float8 as bytes, metadata,
  resource_tags as "resourceTags", tags, role_arn as "roleArn", created_by as "createdBy", source_vault as "sourceVault",
  created_at as "createdAt", completed_at as "completedAt", cold_after_days as "coldAfterDays",
  delete_after_days as "deleteAfterDays", opt_in as "optIn", delete_at as "deleteAt", continuous, status,
  status_message as "statusMessage", last_restored_at as "lastRestoredAt",
  (select kind from backup.vaults v where v.tenant = p.tenant and v.name = p.vault) as "vaultKind"`
const from = sql`from backup.recovery_points p`
const is = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function insert(db: Db, row: NewPoint): Promise<void> {
  await db.run(sql`
    insert into backup.recovery_points (tenant, id, vault, resource_arn, resource_key, resource_type, resource_name,
      status, attempt, snapshot, bytes, metadata, resource_tags, tags, role_arn, created_by, source_vault,
      created_at, completed_at, cold_after_days, delete_after_days, opt_in, delete_at, continuous,
      ongoing)
    values (${row.tenant}, ${row.id}, ${row.vault}, ${row.resourceArn}, lower(${row.resourceArn}), ${row.resourceType},
      ${row.resourceName}, 'COMPLETED', ${row.attempt}, ${row.snapshot}, ${row.bytes},
      ${json(row.metadata)}, ${json(row.resourceTags)}, ${json(row.tags)}, ${row.roleArn}, ${json(row.createdBy)},
      ${row.sourceVault}, ${row.createdAt}, ${row.completedAt}, ${row.coldAfterDays}, ${row.deleteAfterDays},
      ${row.optIn}, ${row.deleteAt}, ${row.continuous}, ${row.continuous})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<PointRow | undefined> {
  return db.point(sql`select ${columns} ${from} where ${is(tenant, id)}`)
}

/** The continuous recovery point of a resource. */
export function findContinuous(db: ReadingDb, tenant: string, resourceArn: string): Promise<PointRow | undefined> {
  return db.maybe(sql`
    select ${columns} ${from} where tenant = ${tenant} and resource_key = lower(${resourceArn}) and ongoing
      and status = 'COMPLETED'`)
}

/** Locks the row until the transaction ends. */
export function lock(db: Db, tenant: string, id: string): Promise<PointRow | undefined> {
  return db.maybe(sql`select ${columns} ${from} where ${is(tenant, id)} for update`)
}

export interface Filter {
  readonly vault?: string | undefined
  /** In lower case. */
  readonly resourceArns?: readonly string[] | undefined
  readonly resourceType?: string | undefined
  readonly backupPlanId?: string | undefined
  readonly createdBefore?: string | undefined
  readonly createdAfter?: string | undefined
}

export function list(
  db: ReadingDb,
  tenant: string,
  filter: Filter,
  { limit, token }: ListRequest,
  more: Sql = sql`true`,
) {
  const query = ['recovery points', tenant, filter, more.values]
  return newestFirst<PointRow>({ limit, token, query }, (older, count) =>
    db.many(
      varying(sql`
        select ${columns} ${from} where ${join([sql`tenant = ${tenant}`, older, more, ...conditionsOf(filter)], ' and ')}
        order by created_at desc, id desc limit ${count}`),
    ),
  )
}

function conditionsOf(filter: Filter): Sql[] {
  const { vault, resourceArns, resourceType, backupPlanId, createdBefore, createdAfter } = filter
  return [
    ...(vault === undefined ? [] : [sql`vault = ${vault}`]),
    ...(resourceArns === undefined ? [] : [sql`resource_key = any(${resourceArns}::text[])`]),
    ...(resourceType === undefined ? [] : [sql`resource_type = ${resourceType}`]),
    ...(backupPlanId === undefined ? [] : [sql`created_by ->> 'BackupPlanId' = ${backupPlanId}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
    ...(createdAfter === undefined ? [] : [sql`created_at > ${createdAfter}`]),
  ]
}

export type LifecycleColumns = Pick<PointRow, 'coldAfterDays' | 'deleteAfterDays' | 'optIn' | 'deleteAt'>

export async function setLifecycle(db: Db, { tenant, id }: PointRow, row: LifecycleColumns): Promise<void> {
  await db.run(sql`
    update backup.recovery_points set cold_after_days = ${row.coldAfterDays},
      delete_after_days = ${row.deleteAfterDays}, opt_in = ${row.optIn}, delete_at = ${row.deleteAt}
    where ${is(tenant, id)}`)
}

/** Updates a continuous recovery point when its rule fires again. */
export async function extendContinuous(db: Db, row: NewPoint): Promise<void> {
  await db.run(sql`
    update backup.recovery_points set metadata = ${json(row.metadata)}, resource_tags = ${json(row.resourceTags)},
      delete_after_days = ${row.deleteAfterDays}, delete_at = ${row.deleteAt}
    where ${is(row.tenant, row.id)} and status = 'COMPLETED'`)
}

export async function setTags(db: Db, { tenant, id }: PointRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.recovery_points set tags = ${json(tags)} where ${is(tenant, id)}`)
}

export async function setRestored(db: Db, tenant: string, id: string, at: Date): Promise<void> {
  await db.run(sql`update backup.recovery_points set last_restored_at = ${at} where ${is(tenant, id)}`)
}

/** Its resource was deleted and replaced: it stays until its retention ends, and a new one takes its place. */
export async function closeContinuous(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`
    update backup.recovery_points set ongoing = false where ${is(tenant, id)}`)
}

/** It can no longer be restored, and its data is deleted later. */
export async function setDeleting(db: Db, { tenant, id }: Pick<PointRow, 'tenant' | 'id'>): Promise<void> {
  await db.run(sql`update backup.recovery_points set status = 'DELETING' where ${is(tenant, id)}`)
}
