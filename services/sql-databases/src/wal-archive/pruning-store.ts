import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Lsn } from './lsn.ts'
import { keptRows, retainedRows } from './retained-rows-store.ts'

/** Selects a row if any database is archived, or an archive has not ended. */
export const archivingRows = (retentionDays: number) => sql`
  select from (${keptRows()} union all ${retainedRows(retentionDays)}) as archived
  union all select from sql_databases.archives where not ended`

/** Whether any database is archived. */
export async function isArchiving(db: ReadingDb, retentionDays: number): Promise<boolean> {
  const rows = sql`select from (${keptRows()} union all ${retainedRows(retentionDays)}) as archived limit 1`
  return (await db.maybe(rows)) !== undefined
}

export interface BackupSchedule {
  readonly now: Date
  readonly everyMs: number
  /** How long a new archive may be without a base backup. */
  readonly firstMs: number
}

/** Whether the newest base backup is too old. */
export async function isBaseBackupDue(db: ReadingDb, { now, everyMs, firstMs }: BackupSchedule): Promise<boolean> {
  const archive = await db.maybe(sql`
    select from sql_databases.archives a where not ended and ${now}::timestamptz >= coalesce(
      (select max(created_at) + ${everyMs} * interval '1 ms' from sql_databases.archive_bases b where b.epoch = a.epoch),
      started_at + ${firstMs} * interval '1 ms')`)
  return archive !== undefined
}

/** Deletes databases whose continuous backup was requested and never started. */
export async function removeUnstarted(db: Db, now: Date): Promise<void> {
  await db.run(sql`
    delete from sql_databases.kept_databases where since is null and created_at < ${now}::timestamptz - interval '8 days'`)
}

/** Returns WAL chunks that end before an LSN, or all without one. */
export async function chunksBefore(db: ReadingDb, epoch: number, before: Lsn | undefined, limit: number) {
  const end = before === undefined ? null : String(before)
  const rows = await db.many<{ id: string }>(sql`
    select id from sql_databases.archive_pieces
    where epoch = ${epoch} and (${end}::bigint is null or end_lsn <= ${end}::bigint) order by start_lsn limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function removeChunks(db: Db, epoch: number, ids: readonly string[]): Promise<void> {
  await db.run(sql`delete from sql_databases.archive_pieces where epoch = ${epoch} and id = any(${ids}::uuid[])`)
}

/** Returns which ids are of WAL chunks or base backups. */
export async function referencedAmong(db: ReadingDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select id::text from sql_databases.archive_pieces where id::text = any(${ids}::text[])
    union all select id::text from sql_databases.archive_bases where id::text = any(${ids}::text[])`)
  return new Set(rows.map(({ id }) => id))
}
