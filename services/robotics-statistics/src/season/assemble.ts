import { type ListKind, pageSize } from './lists.ts'

export interface Page {
  readonly current: number
  readonly items: readonly string[]
  readonly total: number
}

export function pageOf(items: readonly string[], current: number): Page {
  return { current, items: items.slice((current - 1) * pageSize, current * pageSize), total: items.length }
}

export const pagesOf = (total: number) => Math.ceil(total / pageSize)

/** Builds the JSON of an answer from items that are JSON already. */
export function assemble(kind: ListKind, items: readonly string[], current = 1): string {
  const { envelope, count, paged } = kind
  if (envelope === undefined) return items[0] ?? '{}'
  if (!paged) return `{"${envelope}":[${items.join(',')}]${count === undefined ? '' : `,"${count}":${items.length}`}}`
  const page = pageOf(items, current)
  const numbers = {
    [paged.total]: page.total,
    [paged.page]: page.items.length,
    pageCurrent: page.total === 0 ? paged.empty : current,
    pageTotal: page.total === 0 ? paged.empty : pagesOf(page.total),
  }
  return `{"${envelope}":[${page.items.join(',')}],${JSON.stringify(numbers).slice(1)}`
}
