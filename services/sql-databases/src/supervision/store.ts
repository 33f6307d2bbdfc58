import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { columns, type DatabaseRow } from '../databases/store.ts'
import type { Storage } from '../host/storage.ts'

/** Databases on which nobody works, in the order of their ids. */
export async function settledAfter(db: ReadingDb, id: string, limit: number): Promise<DatabaseRow[]> {
  return db.many(sql`
    select ${columns} from sql_databases.databases
    where id > ${id} and status in ('Online', 'Paused') order by id limit ${limit}`)
}

export async function setStorage(
  db: Db,
  { id, work }: DatabaseRow,
  { storage, readOnlyBytes }: Storage,
  hostCollation: string,
): Promise<void> {
  await db.run(sql`
    update sql_databases.databases set storage = ${storage}, read_only_bytes = ${Math.trunc(readOnlyBytes)},
      host_collation = ${hostCollation}
    where id = ${id} and work = ${work}`)
}

/** The databases whose roles on the SQL host have these names. */
export async function membersAmong(db: ReadingDb, names: readonly string[]): Promise<DatabaseRow[]> {
  return db.many(sql`select ${columns} from sql_databases.databases where physical = any(${names}::text[])`)
}

/** Which of these names on the SQL host no row has. */
export async function withoutRow(db: ReadingDb, names: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select found.name from unnest(${names}::text[]) as found (name)
    where not exists (select from sql_databases.databases as known where known.physical = found.name)`)
  return rows.map(({ name }) => name)
}

/** Notes what has no row, forgets what is not among them any more, and answers those seen since before a time. */
export async function noteOrphans(db: Db, names: readonly string[], now: Date, before: Date): Promise<string[]> {
  await db.run(sql`delete from sql_databases.orphans where physical <> all(${names}::text[])`)
  await db.run(sql`
    insert into sql_databases.orphans (physical, seen_at)
    select found.name, ${now} from unnest(${names}::text[]) as found (name)
    on conflict (physical) do nothing`)
  const rows = await db.many<{ physical: string }>(sql`
    select physical from sql_databases.orphans where seen_at <= ${before} order by physical`)
  return rows.map(({ physical }) => physical)
}
