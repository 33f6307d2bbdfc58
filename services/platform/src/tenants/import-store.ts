import { type Db, type ReadingDb, raw, sql } from '@icosa/kernel'

/** Name of the newest migration, by owner. */
export async function newestMigrations(db: ReadingDb): Promise<Record<string, string>> {
  const rows = await db.many<{ owner: string; name: string }>(sql`
    select owner, max(name) as name from icosa.migrations group by owner order by owner`)
  return Object.fromEntries(rows.map(({ owner, name }) => [owner, name]))
}

export interface Column {
  readonly name: string
  readonly type: string
}

/** Columns of a table that are not computed. */
export const columnsOf = (db: ReadingDb, table: string): Promise<Column[]> =>
  db.many(sql`
    select attname as name, atttypid::regtype::text as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`)

/** Inserts rows, given as JSON in lines. */
export async function insertRows(
  db: Db,
  table: string,
  columns: readonly Column[],
  lines: readonly string[],
): Promise<number> {
  const names = raw(columns.map(({ name }) => `"${name}"`).join(', '))
  return db.run(sql`
    insert into ${raw(table)} (${names}) overriding system value
    select ${names} from jsonb_populate_recordset(null::${raw(table)}, ${`[${lines.join(',')}]`}::jsonb)`)
}

/** Takes numbers from a sequence. */
export async function takeNumbers(db: Db, sequence: string, count: number): Promise<string[]> {
  const rows = await db.many<{ number: string }>(sql`
    select nextval(${sequence}::regclass)::text as number from generate_series(1, ${count})`)
  return rows.map(({ number }) => number)
}

/** Makes the sequences of a table's identity columns continue after the numbers of the tenant. */
export async function continueSequences(db: Db, table: string, tenant: string): Promise<void> {
  const columns = await db.many<{ sequence: string; column: string }>(sql`
    select pg_get_serial_sequence(${table}, attname) as sequence, format('%I', attname) as column from pg_attribute
    where attrelid = ${table}::regclass and attidentity <> '' and not attisdropped`)
  for (const { sequence, column } of columns)
    await db.run(sql`
      select setval(${sequence}::regclass, greatest(nextval(${sequence}::regclass), (
        select max(${raw(column)}) from ${raw(table)} where tenant = ${tenant})))`)
}
