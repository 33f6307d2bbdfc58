import { type Database, join, type ReadingDb, raw, sql } from '@icosa/kernel'
import { hasRows } from './rows.ts'
import { homeService, type MovedTable } from './tables.ts'

/** Of the server, as a move needs it. */
export interface ServerFacts {
  readonly walLevel: string
  readonly slots: number
  readonly senders: number
  readonly workers: number
  readonly keepsAnyLog: boolean
  readonly isSuperuser: boolean
  readonly identity: string
}

export const serverFacts = (db: ReadingDb): Promise<ServerFacts> =>
  db.one(sql`
    select current_setting('wal_level') as "walLevel",
      current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots) as slots,
      current_setting('max_wal_senders')::int - (select count(*)::int from pg_stat_replication) as senders,
      current_setting('max_logical_replication_workers')::int - (select count(*)::int from pg_stat_subscription where pid is not null) as workers,
      current_setting('max_slot_wal_keep_size') = '-1' as "keepsAnyLog",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      (select system_identifier::text from pg_control_system()) || '/' || current_database() as identity`)

export const migrationsIn = async (db: ReadingDb): Promise<Set<string>> =>
  new Set(
    (
      await db.many<{ name: string }>(
        sql`select owner || '/' || name as name from icosa.migrations where owner <> 'directory'`,
      )
    ).map(({ name }) => name),
  )

interface Name {
  readonly purpose: string
  readonly name: string
}

/** The tenant's names that another tenant of the target has. */
export async function namesTaken(source: ReadingDb, target: ReadingDb, tenant: string): Promise<Name[]> {
  const names = await source.many<Name>(sql`select purpose, name from icosa.names where tenant = ${tenant}`)
  return target.many(sql`
    select purpose, name from icosa.names join unnest(${names.map(({ purpose }) => purpose)}::text[],
      ${names.map(({ name }) => name)}::text[]) as wanted(purpose, name) using (purpose, name)
    where tenant <> ${tenant}`)
}

export const knowsTenant = async (db: ReadingDb, tenant: string): Promise<boolean> =>
  (await db.maybe(sql`select from icosa.tenants where id = ${tenant}`)) !== undefined

export const stateIn = async (db: ReadingDb, tenant: string): Promise<string> =>
  (await db.maybe<{ state: string }>(sql`select state from icosa.tenant_states where id = ${tenant}`))?.state ??
  'active'

/** Tables in which the tenant has rows. */
export async function filledTables(database: Database, tables: readonly MovedTable[]): Promise<string[]> {
  const filled: string[] = []
  for (const table of tables) if (await hasRows(database, table)) filled.push(table.name)
  return filled
}

/** Rows whose numbers are taken in the target, from before cells had numbers of their own. */
export async function numbersTaken(
  source: ReadingDb,
  target: ReadingDb,
  tables: readonly MovedTable[],
): Promise<string[]> {
  const taken: string[] = []
  for (const [table, column] of [
    ['event_detection.models', 'id'],
    ['event_detection.models', 'generation'],
    ['podcast_directory.tenants', 'number'],
  ] as const) {
    const moved = tables.find(({ name }) => name === table)
    if (!moved) continue
    const numbers = await source.many<{ number: string }>(sql`
      select ${raw(column)}::text as number from ${raw(table)} where ${raw(moved.filter)}`)
    const rows = await target.many(sql`
      select from ${raw(table)} where ${raw(column)} = any(${numbers.map(({ number }) => number)}::bigint[])`)
    if (rows.length > 0) taken.push(`${table}.${column}`)
  }
  return taken
}

/** Services that may have blobs of the tenant. */
export async function servicesIn(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ owner: string }>(sql`
    select distinct owner from icosa.migrations where owner not in (${join(['icosa', 'directory', homeService])}) order by 1`)
  return rows.map(({ owner }) => owner)
}
