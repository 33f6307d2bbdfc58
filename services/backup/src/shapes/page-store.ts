import { invalid, isStorable, type Page, type PageRequest, readPage, type Sql, sql } from '@icosa/kernel'

export interface ListRequest {
  readonly limit: number
  readonly token: string | undefined
}

interface Dated {
  readonly id: string
  readonly createdAt: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A page of rows, newest first. `read` gets the condition for rows after the last one. */
export function newestFirst<Row extends Dated>(
  request: Omit<PageRequest, 'at'>,
  read: (older: Sql, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  return readPage<Row>(
    { ...request, at },
    ({ createdAt, id }) => [createdAt.getTime(), id],
    (after, limit) => read(after ? older(after) : sql`true`, limit),
  )
}

function older([time, id]: readonly unknown[]): Sql {
  if (typeof time !== 'number' || typeof id !== 'string' || !Number.isFinite(time) || !uuid.test(id)) refuse()
  return sql`(created_at, id) < (to_timestamp(${time / 1000}::float8), ${id}::uuid)`
}

/** A page of rows, ordered by name. */
export function byName<Row>(
  request: Omit<PageRequest, 'at'>,
  nameOf: (row: Row) => string,
  read: (after: string, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  return readPage<Row>(
    { ...request, at },
    (row) => [nameOf(row)],
    ([after] = [''], limit) => {
      if (typeof after !== 'string' || !isStorable(after)) refuse()
      return read(after, limit)
    },
  )
}

const at = 'query/nextToken'

function refuse(): never {
  return invalid([{ at, message: 'is not a token of this list: start again without one' }])
}
