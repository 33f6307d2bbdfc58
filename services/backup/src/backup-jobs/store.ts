import { type Db, join, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { Lifecycle, RecoveryPointCreator } from '../shapes/contract.ts'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'

/** A copy of the recovery point to another vault, once it is complete. */
export interface CopyAction {
  readonly DestinationBackupVaultArn: string
  readonly Lifecycle?: Lifecycle
}

export interface BackupJobRow {
  readonly tenant: string
  readonly id: string
  readonly vault: string
  readonly pointId: string
  readonly resourceId: string
  readonly resourceArn: string
  readonly resourceType: string
  readonly resourceName: string
  readonly roleArn: string
  readonly state: 'CREATED' | 'RUNNING' | 'ABORTING' | 'ABORTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED'
  readonly message: string | null
  readonly bytes: number | null
  readonly createdBy: RecoveryPointCreator | null
  readonly lifecycle: Lifecycle
  readonly tags: TagMap
  readonly options: TagMap
  readonly copies: readonly CopyAction[]
  /** For a continuous rule: its next due time. */
  readonly continuousUntil: Date | null
  readonly createdAt: Date
  readonly startBy: Date
  readonly completeBy: Date
  readonly completedAt: Date | null
}

const columns = sql`tenant, id, vault, point_id as "pointId", resource_id as "resourceId", resource_arn as "resourceArn",
  resource_type as "resourceType", resource_name as "resourceName", role_arn as "roleArn", state, message,
  bytes::float8 as bytes, created_by as "createdBy", lifecycle, tags, options, copies,
  continuous_until as "continuousUntil", created_at as "createdAt",
  start_by as "startBy", complete_by as "completeBy", completed_at as "completedAt"`

const is = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export type NewJob = Omit<BackupJobRow, 'state' | 'message' | 'bytes' | 'completedAt'>

export async function insertAll(db: Db, rows: readonly NewJob[]): Promise<void> {
  const all = rows.map((row) => ({ ...row, resourceKey: row.resourceArn.toLowerCase() }))
  await db.run(sql`
    insert into backup.backup_jobs (tenant, id, vault, point_id, resource_id, resource_arn, resource_key, resource_type,
      resource_name, role_arn, state, created_by, lifecycle, tags, options, copies, continuous_until, created_at, start_by, complete_by)
    select tenant, id, vault, "pointId", "resourceId", "resourceArn", "resourceKey", "resourceType", "resourceName",
      "roleArn", 'CREATED', nullif("createdBy", 'null'), lifecycle, tags, options, copies, "continuousUntil", "createdAt",
      "startBy", "completeBy"
    from jsonb_to_recordset(${json(all)}) as r(tenant text, id uuid, vault text, "pointId" uuid, "resourceId" text,
      "resourceArn" text, "resourceKey" text, "resourceType" text, "resourceName" text, "roleArn" text, "createdBy" jsonb,
      lifecycle jsonb, tags jsonb, options jsonb, copies jsonb, "continuousUntil" timestamptz, "createdAt" timestamptz, "startBy" timestamptz,
      "completeBy" timestamptz)`)
}

/** Whether a backup of a resource has started since then and has not failed. */
export async function hasStarted(db: ReadingDb, tenant: string, arn: string, since: Date): Promise<boolean> {
  const row = await db.maybe(sql`
    select from backup.backup_jobs where tenant = ${tenant} and resource_key = ${arn.toLowerCase()}
      and created_at >= ${since} and state not in ('FAILED', 'ABORTED', 'EXPIRED') limit 1`)
  return row !== undefined
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<BackupJobRow | undefined> {
  return db.point(sql`select ${columns} from backup.backup_jobs where ${is(tenant, id)}`)
}

/** Locks the row until the transaction ends. */
export function lock(db: Db, tenant: string, id: string): Promise<BackupJobRow | undefined> {
  return db.maybe(sql`select ${columns} from backup.backup_jobs where ${is(tenant, id)} for update`)
}

/** Returns false if it has ended. */
export async function setRunning(db: Db, tenant: string, id: string): Promise<boolean> {
  const changed = await db.run(sql`
    update backup.backup_jobs set state = 'RUNNING' where ${is(tenant, id)} and state in ('CREATED', 'RUNNING')`)
  return changed === 1
}

export interface Ending {
  readonly state: 'ABORTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED'
  readonly message?: string
  readonly bytes?: number
  readonly at: Date
}

/** Returns false if it had already ended. */
export async function end(db: Db, tenant: string, id: string, { state, message, bytes, at }: Ending): Promise<boolean> {
  const changed = await db.run(sql`
    update backup.backup_jobs set state = ${state}, message = ${message ?? null}, bytes = ${bytes ?? null},
      completed_at = ${at}
    where ${is(tenant, id)} and completed_at is null`)
  return changed === 1
}

export interface Filter {
  /** In lower case. */
  readonly resourceArns?: readonly string[] | undefined
  readonly state?: string | undefined
  readonly backupVaultName?: string | undefined
  readonly resourceType?: string | undefined
  readonly createdBefore?: string | undefined
  readonly createdAfter?: string | undefined
  readonly completeBefore?: string | undefined
  readonly completeAfter?: string | undefined
}

export function list(db: ReadingDb, tenant: string, filter: Filter, { limit, token }: ListRequest) {
  const conditions = conditionsOf(filter)
  return newestFirst<BackupJobRow>({ limit, token, query: ['backup jobs', tenant, filter] }, (older, count) =>
    db.many(
      varying(sql`
        select ${columns} from backup.backup_jobs
        where ${join([sql`tenant = ${tenant}`, older, ...conditions], ' and ')}
        order by created_at desc, id desc limit ${count}`),
    ),
  )
}

function conditionsOf(filter: Filter): Sql[] {
  const { resourceArns, state, backupVaultName, resourceType } = filter
  return [
    ...(resourceArns === undefined ? [] : [sql`resource_key = any(${resourceArns}::text[])`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(backupVaultName === undefined ? [] : [sql`vault = ${backupVaultName}`]),
    ...(resourceType === undefined ? [] : [sql`resource_type = ${resourceType}`]),
    ...(filter.createdBefore === undefined ? [] : [sql`created_at < ${filter.createdBefore}`]),
    ...(filter.createdAfter === undefined ? [] : [sql`created_at > ${filter.createdAfter}`]),
    ...(filter.completeBefore === undefined ? [] : [sql`completed_at < ${filter.completeBefore}`]),
    ...(filter.completeAfter === undefined ? [] : [sql`completed_at > ${filter.completeAfter}`]),
  ]
}
