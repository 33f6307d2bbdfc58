import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { columns, type DatabaseRow, seenOn } from '../databases/store.ts'
import type { Storage } from '../host/storage.ts'
import type { Measurement } from '../host/store.ts'

/** Databases without a running operation, ordered by id. */
export async function stableAfter(db: ReadingDb, id: string, limit: number): Promise<DatabaseRow[]> {
  return db.many(sql`
    select ${columns} from sql_databases.databases
    where id > ${id} and status in ('Online', 'Paused') order by id limit ${limit}`)
}

export async function setStorage(
  db: Db,
  { id, work }: DatabaseRow,
  { storage, readOnlyBytes }: Storage,
  measurement: Measurement,
): Promise<void> {
  await db.run(sql`
    update sql_databases.databases set storage = ${storage}, read_only_bytes = ${Math.trunc(readOnlyBytes)},
      host_collation = ${measurement.collation}, ${seenOn(measurement)}
    where id = ${id} and work = ${work}`)
}

/** Databases by the names of their roles on the SQL host. */
export async function findByPhysicalNames(db: ReadingDb, names: readonly string[]): Promise<DatabaseRow[]> {
  return db.many(sql`select ${columns} from sql_databases.databases where physical = any(${names}::text[])`)
}

/** The names on the SQL host that have no row. */
export async function withoutRow(db: ReadingDb, names: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select host.name from unnest(${names}::text[]) as host (name)
    where not exists (select from sql_databases.databases as d where d.physical = host.name)`)
  return rows.map(({ name }) => name)
}

/** Records names without a row, deletes other records, and returns those recorded before a time. */
export async function noteOrphans(db: Db, names: readonly string[], now: Date, before: Date): Promise<string[]> {
  await db.run(sql`delete from sql_databases.orphans where physical <> all(${names}::text[])`)
  await db.run(sql`
    insert into sql_databases.orphans (physical, seen_at)
    select host.name, ${now} from unnest(${names}::text[]) as host (name)
    on conflict (physical) do nothing`)
  const rows = await db.many<{ physical: string }>(sql`
    select physical from sql_databases.orphans where seen_at <= ${before} order by physical`)
  return rows.map(({ physical }) => physical)
}
