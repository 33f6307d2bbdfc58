import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { isHeld } from '../legal-holds/store.ts'

/** The recovery points of a vault whose data is being deleted. */
export function listDeleting(db: ReadingDb, tenant: string, vault: string): Promise<DeletingPoint[]> {
  return db.many(sql`
    select id, resource_type as type, continuous from backup.recovery_points
    where tenant = ${tenant} and vault = ${vault} and status = 'DELETING'`)
}

export interface DeletingPoint {
  readonly id: string
  readonly type: string
  readonly continuous: boolean
}

export interface RepositorySnapshot {
  /** The id of the attempt that wrote it. */
  readonly name: string
  /** The id of its recovery point. */
  readonly point: string
}

/** Names of snapshots that belong, or may still come to belong, to a recovery point. */
export async function referenced(
  db: ReadingDb,
  tenant: string,
  vault: string,
  snapshots: readonly RepositorySnapshot[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ name: string }>(sql`
    select name from jsonb_to_recordset(${JSON.stringify(snapshots)}) as s(name text, point uuid)
    where exists (select from backup.recovery_points p where p.tenant = ${tenant} and p.id = s.point
        and p.attempt::text = s.name and p.status <> 'DELETING')
      or s.point in (select point_id from backup.backup_jobs
        where tenant = ${tenant} and vault = ${vault} and state in ('CREATED', 'RUNNING', 'ABORTING')
        union all select point_id from backup.copy_jobs
        where tenant = ${tenant} and vault = ${vault} and completed_at is null)`)
  return new Set(rows.map(({ name }) => name))
}

/** Returns the number of deleted rows. */
export function removeAll(db: Db, tenant: string, ids: readonly string[]): Promise<number> {
  return db.run(sql`
    delete from backup.recovery_points where tenant = ${tenant} and id = any(${ids}::uuid[]) and status = 'DELETING'`)
}

/** Marks expired recovery points of all tenants as `DELETING`, oldest first. */
export function expire(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ readonly tenant: string; readonly vault: string }[]> {
  return db.many(sql`
    update backup.recovery_points as going set status = 'DELETING'
    where (tenant, id) in (select tenant, id from backup.recovery_points p
      where delete_at <= ${now} and status = 'COMPLETED' and not ${isHeld} order by delete_at limit ${limit})
      and status = 'COMPLETED'
    returning tenant, vault`)
}
