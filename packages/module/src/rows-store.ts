import { type Db, join, type ReadingDb, raw, type Sql, sql } from '@icosa/kernel'

/** A resource's rows in one table: a statement with one JSON column `line`, in order. */
export interface RowsOf {
  readonly table: string
  readonly rows: Sql
}

/** Selects rows without the columns that are set anew on restore. */
export const ownRows = (table: string, where: Sql, order: string, without: readonly string[]): RowsOf => ({
  table,
  rows: sql`select to_jsonb(t) - ${without}::text[] as line from ${raw(table)} as t where ${where} order by ${raw(order)}`,
})

export async function sizeOf(db: ReadingDb, all: readonly RowsOf[]): Promise<number> {
  const sizes = all.map(({ rows }) => sql`select octet_length(line::text) as bytes from (${rows}) as own`)
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select coalesce(sum(bytes), 0)::float8 as bytes from (${join(sizes, ' union all ')}) as sizes`)
  return bytes
}

/** Reads everything in one statement, for a consistent snapshot. */
export function read(
  db: ReadingDb,
  all: readonly RowsOf[],
): Promise<{ readonly part: number; readonly json: string }[]> {
  const parts = all.map(
    ({ rows }, part) => sql`select ${part}::int as part, row_number() over () as number, line from (${rows}) as own`,
  )
  return db.many(sql`
    select part, line::text as json from (${join(parts, ' union all ')}) as lines order by part, number`)
}

const rowsPerStatement = 1_000

/** Inserts rows: the columns that rows and table have in common, with `values` overriding their values. */
export async function add(db: Db, table: string, lines: readonly string[], values: object): Promise<void> {
  const [first] = lines
  if (first === undefined) return
  const tableColumns = await db.many<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`)
  const names = new Set(Object.keys({ ...JSON.parse(first), ...values }))
  const columns = raw(
    tableColumns
      .filter(({ name }) => names.has(name))
      .map(({ name }) => `"${name}"`)
      .join(', '),
  )
  for (let start = 0; start < lines.length; start += rowsPerStatement)
    await db.run(sql`
      insert into ${raw(table)} (${columns}) overriding system value
      select ${columns} from (
        select own.* from unnest(${lines.slice(start, start + rowsPerStatement)}::text[]) with ordinality as line(json, number),
          lateral jsonb_populate_record(null::${raw(table)}, line.json::jsonb || ${JSON.stringify(values)}::jsonb) as own
        order by number) as rows`)
}
