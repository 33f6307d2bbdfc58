import { ok } from '@icosa/kernel'

export interface PageQuery {
  readonly count?: number
  readonly older_id?: number
  readonly newer_id?: number
}

/** Items are newest first. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly older: number | null
  readonly newer: number | null
}

export const pageSize = ({ count = 10 }: PageQuery) => count

export const itemReply = <const W extends string, T>(wrapper: W, item: T) =>
  ok({ Response: [{ [wrapper]: item } as { [K in W]: T }] })

export const created = (id: string | number) => itemReply('Id', { id: Number(id) })
export const emptyReply = () => ok({ Response: [] })

/** Query strings, which the dialect appends to the path. */
export interface PageLinks {
  readonly future_url: string | null
  readonly newer_url: string | null
  readonly older_url: string | null
}

export const linksOf = ({ older, newer }: Pick<Page<unknown>, 'older' | 'newer'>, count: number): PageLinks => {
  const at = (name: string, id: number | null) => (id === null ? null : `?${name}=${id}&count=${count}`)
  return { future_url: null, newer_url: at('newer_id', newer), older_url: at('older_id', older) }
}

/** A page of items; one row more than `count` indicates that there are others. */
export function listed<Row, const W extends string, T>(
  wrapper: W,
  query: PageQuery,
  rows: readonly Row[],
  show: (row: Row) => T,
  idOf: (row: Row) => number,
) {
  return listedMixed(query, rows, (row) => ({ [wrapper]: show(row) }) as { [K in W]: T }, idOf)
}

export function listedMixed<Row, T>(
  query: PageQuery,
  rows: readonly Row[],
  show: (row: Row) => T,
  idOf: (row: Row) => number,
) {
  const { older_id, newer_id } = query
  const count = pageSize(query)
  const hasMore = rows.length > count
  // Rows newer than an id are read in ascending order, but returned newest first.
  const page = newer_id === undefined ? rows.slice(0, count) : rows.slice(0, count).reverse()
  const first = page[0]
  const last = page.at(-1)
  const older = last !== undefined && (newer_id !== undefined || hasMore) ? idOf(last) : null
  const isNewest = newer_id === undefined ? older_id === undefined : !hasMore
  const newer = first !== undefined && !isNewest ? idOf(first) : null
  return ok({ Response: page.map(show), Pagination: linksOf({ older, newer }, count) })
}

/** An unpaged list. */
export const asList = <const W extends string, T>(wrapper: W, items: readonly T[]) =>
  ok({
    Response: items.map((item) => ({ [wrapper]: item }) as { [K in W]: T }),
    Pagination: linksOf({ older: null, newer: null }, 0),
  })
