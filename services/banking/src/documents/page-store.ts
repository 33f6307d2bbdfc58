import { type Sql, sql } from '@icosa/kernel'
import { type PageQuery, pageSize } from '../dialect/reply.ts'

/** The end of a statement that selects a page and one more row: newest first, or ascending from `newer_id`. */
export function page(id: Sql, query: PageQuery): Sql {
  const { older_id: older, newer_id: newer } = query
  const limited = sql`${inOrder(id, query)} limit ${pageSize(query) + 1}`
  if (newer !== undefined) return sql`and ${id} > ${newer} ${limited}`
  if (older !== undefined) return sql`and ${id} < ${older} ${limited}`
  return limited
}

export const inOrder = (id: Sql, { newer_id }: PageQuery): Sql =>
  newer_id === undefined ? sql`order by ${id} desc` : sql`order by ${id}`
