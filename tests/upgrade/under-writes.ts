import { type Database, type Db, join, type Migration, migrate, raw, type Sql, sql, varying } from '@icosa/kernel'

export interface Pauses {
  readonly writes: number
  /** Maximum duration of a write during the migration. */
  readonly maxMs: number
  readonly migrationMs: number
}

/** Above every row of `fill`; positive, since many checks refuse negative numbers. */
const firstWritten = 1_000_000_000

/** Applies a migration while rows are inserted and updated in these tables, sequentially in each. */
export async function migrateUnderWrites(
  database: Database,
  migration: Migration,
  tables: readonly string[],
): Promise<Pauses> {
  let isOver = false
  let writes = 0
  let maxMs = 0
  async function write(table: string): Promise<void> {
    const columns = await columnsOf(database, table)
    for (let row = firstWritten; !isOver; row++) {
      const began = performance.now()
      await database.run(rowsOf(table, columns, sql`generate_series(${row}::int, ${row}::int)`))
      maxMs = Math.max(maxMs, performance.now() - began)
      writes++
    }
  }
  const writing = Promise.all(tables.map(write))
  const began = performance.now()
  try {
    await migrate(database, [migration])
  } finally {
    isOver = true
  }
  const migrationMs = performance.now() - began
  await writing
  return { writes, maxMs, migrationMs }
}

/**
 * Fills a table, without its foreign keys and triggers. False if a check refuses the generated rows: such a table is judged,
 * but not written to.
 */
export async function fill(database: Database, table: string, rows: number): Promise<boolean> {
  const keys = await database.many<{ name: string }>(sql`
    select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'f'`)
  for (const { name } of keys) await database.script(`alter table ${table} drop constraint "${name}"`)
  await database.script(`alter table ${table} disable trigger user`)
  const columns = await columnsOf(database, table)
  return database.run(rowsOf(table, columns, sql`generate_series(1, ${rows}::int)`)).then(
    () => true,
    () => false,
  )
}

interface Column {
  readonly name: string
  readonly type: string
}

/** Mandatory columns. */
const columnsOf = (db: Db, table: string) =>
  db.many<Column>(sql`
    select attname as name, format_type(coalesce(nullif(typbasetype, 0), atttypid), atttypmod) as type
    from pg_attribute join pg_type on pg_type.oid = atttypid
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a'
      and (attnotnull or not atthasdef)`)

const rowsOf = (table: string, columns: readonly Column[], numbers: Sql): Sql =>
  varying(sql`
    insert into ${raw(table)} (${raw(columns.map(({ name }) => `"${name}"`).join(', '))})
    select ${join(columns.map(({ type }) => raw(generated(type))))} from ${numbers} as number
    on conflict do nothing`)

function generated(type: string): string {
  if (/\[\]$/.test(type)) return `'{}'::${type}`
  if (type === 'smallint') return '(number % 32768)::smallint'
  if (/^(integer|bigint|numeric|real|double)/.test(type)) return `number::${type}`
  if (/^(text|character|name|citext)/.test(type)) return `md5(number::text)::${type}`
  if (/^(timestamp|date)/.test(type)) return `(now() + number * interval '1 second')::${type}`
  if (/^json/.test(type)) return `jsonb_build_object('number', number)::${type}`
  if (type === 'uuid') return 'md5(number::text)::uuid'
  if (type === 'bytea') return 'md5(number::text)::bytea'
  if (type === 'boolean') return 'false'
  return `null::${type}`
}
