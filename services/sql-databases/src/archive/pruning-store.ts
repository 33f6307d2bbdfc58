import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Lsn } from './lsn.ts'

/** Selects a row if any database is kept, or the archive of one has not ended. */
export const anyKept = () => sql`
  select from sql_databases.kept_databases union all select from sql_databases.archives where not ended`

/** Whether any database is kept. */
export async function isNeeded(db: ReadingDb): Promise<boolean> {
  return (await db.maybe(sql`select from sql_databases.kept_databases limit 1`)) !== undefined
}

export interface Due {
  readonly now: Date
  readonly everyMs: number
  /** How long an archive may be without any. */
  readonly firstMs: number
}

/** Whether the newest copy of the server is too old. */
export async function isBaseDue(db: ReadingDb, { now, everyMs, firstMs }: Due): Promise<boolean> {
  const found = await db.maybe(sql`
    select from sql_databases.archives a where not ended and ${now}::timestamptz >= coalesce(
      (select max(created_at) + ${everyMs} * interval '1 ms' from sql_databases.archive_bases b where b.epoch = a.epoch),
      started_at + ${firstMs} * interval '1 ms')`)
  return found !== undefined
}

/** Of databases whose backup was begun and never came to be. */
export async function forgetUnbegun(db: Db, now: Date): Promise<void> {
  await db.run(sql`
    delete from sql_databases.kept_databases where since is null and created_at < ${now}::timestamptz - interval '8 days'`)
}

/** Undefined: all of them. */
export async function piecesBefore(db: ReadingDb, epoch: number, before: Lsn | undefined, limit: number) {
  const end = before === undefined ? null : String(before)
  const rows = await db.many<{ id: string }>(sql`
    select id from sql_databases.archive_pieces
    where epoch = ${epoch} and (${end}::bigint is null or end_lsn <= ${end}::bigint) order by start_lsn limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function removePieces(db: Db, epoch: number, ids: readonly string[]): Promise<void> {
  await db.run(sql`delete from sql_databases.archive_pieces where epoch = ${epoch} and id = any(${ids}::uuid[])`)
}

/** Which of these are pieces of the log or copies of the server. */
export async function knownAmong(db: ReadingDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select id::text from sql_databases.archive_pieces where id::text = any(${ids}::text[])
    union all select id::text from sql_databases.archive_bases where id::text = any(${ids}::text[])`)
  return new Set(rows.map(({ id }) => id))
}
