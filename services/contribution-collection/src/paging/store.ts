import { type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'

export interface Window {
  readonly limit: number
  readonly offset: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

interface ListQuery {
  readonly columns: Sql
  /** A table with its conditions. */
  readonly from: Sql
  readonly order: Sql
}

/** A page of a list, with the total number of rows. */
export async function readWindow<Row>(
  db: ReadingDb,
  { columns, from, order }: ListQuery,
  window: Window,
): Promise<Page<Row>> {
  const { limit, offset } = window
  const rows = await db.many<Row>(
    varying(sql`select ${columns} from ${from} order by ${order} limit ${limit} offset ${offset}`),
  )
  if (offset === 0 && rows.length < limit) return { rows, total: rows.length }
  const { total } = await db.one<{ total: string }>(varying(sql`select count(*)::text as total from ${from}`))
  return { rows, total: Number(total) }
}
