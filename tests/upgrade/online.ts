import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import {
  concurrentStatements,
  type Database,
  type Db,
  isConcurrent,
  isExpanding,
  type Migration,
  readMigrations,
  schemaOf,
  sql,
} from '@icosa/kernel'

/** Exempt migrations: applied before the rules below existed, or with all nodes stopped (ADR 87). */
export const history: ReadonlySet<string> = new Set(
  readFileSync(new URL('history.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
)

/** Migrations of the platform and of all services, without loading any service. */
export function allMigrations(): Promise<Migration[]> {
  const root = new URL('../../', import.meta.url)
  const directories = globSync('{packages/kernel,services/*}/migrations', { cwd: root }).sort()
  return readMigrations(
    directories.map((directory) => ({
      owner: directory.startsWith('packages') ? 'icosa' : basename(dirname(directory)),
      directory: new URL(`${directory}/`, root),
    })),
  )
}

export interface Verdict {
  /** Why it would block writes, or break nodes of the previous version. */
  readonly problems: readonly string[]
  /** Existing tables that it locks. */
  readonly tables: readonly string[]
}

/**
 * Judges a migration by its effects, not its text: runs it in a transaction that is rolled back, and checks its locks, the
 * tables it scans and rewrites, and the catalog before and after. Tables may be empty: a scan of no row counts, too.
 */
export async function judge(database: Database, migration: Migration): Promise<Verdict> {
  if (isConcurrent(migration.name)) return judgeConcurrent(migration)
  let verdict: Verdict | undefined
  const rolledBack = new Error('rolled back')
  await database
    .transaction(async (db) => {
      await db.script(qualified)
      const before = await columnsOf(db)
      const indexes = await uniqueIndexes(db)
      await db.script(rememberTables)
      const schema = schemaOf(migration.owner)
      await db.script(
        `create schema if not exists "${schema}"; set local search_path to "${schema}"; ${migration.text}`,
      )
      await db.script(qualified)
      const touched = await touchedTables(db)
      const problems = blocking(touched)
      if (isExpanding(migration.name))
        problems.push(...breaking(before, await columnsOf(db)), ...newUnique(indexes, await uniqueIndexes(db)))
      verdict = { problems, tables: touched.map(({ table }) => table) }
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
  return verdict as Verdict
}

/** Makes PostgreSQL print names with their schema. */
const qualified = 'set local search_path to pg_catalog'

/** Unique indexes over rows that no older node writes. */
const overNewRows: Readonly<Record<string, string>> = {
  records_allocations: 'records of the kind PaymentAutoAllocateInstance are new',
}

function judgeConcurrent(migration: Migration): Verdict {
  const texts = concurrentStatements(migration).map(({ text }) => text)
  const unique = texts
    .filter((text) => isExpanding(migration.name) && /^create unique/i.test(text))
    .filter((text) => !Object.keys(overNewRows).some((index) => text.includes(` ${index} on `)))
  return {
    problems: unique.map((text) => `refuses writes of older nodes, so it does not only expand: ${text}`),
    tables: texts.flatMap((text) => /(?: on |^alter table )([\w.]+)/i.exec(text)?.[1] ?? []),
  }
}

interface Touched {
  readonly table: string
  readonly blocksWrites: boolean
  readonly scanned: boolean
  readonly rewritten: boolean
}

/** Counts scans that the session has not yet reported, including those of earlier transactions. */
const rememberTables = `
  create temporary table pg_temp.files_before on commit drop as
  select oid, relfilenode, coalesce(seq_scan + coalesce(idx_scan, 0), 0) as scans
  from pg_class left join pg_stat_xact_user_tables on relid = oid`

/** Existing tables that the migration locks, scans or rewrites. */
const touchedTables = (db: Db) =>
  db.many<Touched>(sql`
    select c.oid::regclass::text as table, bool_or(l.mode ~ '^(Share|ShareRowExclusive|Exclusive|AccessExclusive)Lock$') as "blocksWrites",
      coalesce(bool_or(s.seq_scan + coalesce(s.idx_scan, 0) > f.scans), false) as scanned,
      bool_or(c.relfilenode <> f.relfilenode) as rewritten
    from pg_locks l join pg_class c on c.oid = l.relation join pg_temp.files_before f on f.oid = c.oid
    left join pg_stat_xact_user_tables s on s.relid = c.oid
    where l.pid = pg_backend_pid() and l.database = (select oid from pg_database where datname = current_database())
      and c.relkind in ('r', 'p') and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    group by c.oid
    order by 1`)

/** Work proportional to a table's size while writes are blocked, since locks last until the transaction ends. */
function blocking(touched: readonly Touched[]): string[] {
  const locked = touched.filter(({ blocksWrites }) => blocksWrites).map(({ table }) => table)
  if (locked.length === 0) return []
  return touched.flatMap(({ table, scanned, rewritten }) => {
    if (rewritten) return `rewrites ${table} while it blocks writes to ${locked.join(', ')}`
    if (scanned) return `reads all of ${table} while it blocks writes to ${locked.join(', ')}`
    return []
  })
}

interface Column {
  readonly column: string
  readonly type: string
  readonly mandatory: boolean
  readonly hasDefault: boolean
}

const columnsOf = (db: Db) =>
  db.many<Column>(sql`
    select format('%s.%I', attrelid::regclass, attname) as column, format_type(atttypid, atttypmod) as type, attnotnull as mandatory,
      atthasdef or attidentity <> '' as "hasDefault"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped
      and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and relpersistence <> 't'`)

/** Schema changes that would break statements of older nodes. */
function breaking(before: readonly Column[], after: readonly Column[]): string[] {
  const now = new Map(after.map((column) => [column.column, column]))
  const tables = new Set(before.map(({ column }) => tableOf(column)))
  const columns = new Set(before.map(({ column }) => column))
  const removed = before.flatMap(({ column, type, mandatory }) => {
    const current = now.get(column)
    if (!current) return `removes ${column}`
    if (current.type !== type) return `changes the type of ${column}`
    return current.mandatory && !mandatory ? `makes ${column} mandatory` : []
  })
  const added = after.filter(({ column }) => tables.has(tableOf(column)) && !columns.has(column))
  const required = added.filter(({ mandatory, hasDefault }) => mandatory && !hasDefault)
  return [
    ...removed,
    ...required.map(({ column }) => `adds ${column}, which older nodes do not write, without a default`),
  ]
}

const tableOf = (column: string) => column.slice(0, column.lastIndexOf('.'))

interface UniqueIndex {
  readonly index: string
  readonly table: string
}

const uniqueIndexes = (db: Db) =>
  db.many<UniqueIndex>(sql`
    select indexrelid::regclass::text as index, indrelid::regclass::text as table from pg_index
    join pg_class on pg_class.oid = indrelid
    where indisunique and relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)`)

function newUnique(before: readonly UniqueIndex[], after: readonly UniqueIndex[]): string[] {
  const indexes = new Set(before.map(({ index }) => index))
  const tables = new Set(before.map(({ table }) => table)) // each of our tables has a key
  return after
    .filter(({ index, table }) => !indexes.has(index) && tables.has(table))
    .map(({ index, table }) => `${index} refuses writes of older nodes to ${table}`)
}
