import { ok } from '@icosa/kernel'
import type { Window } from './store.ts'

export interface PageQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

/** Default for lists that the original returns whole. */
export const maxPageSize = 1_000

export const windowOf = ({ page = 1, pageSize = maxPageSize }: PageQuery): Window => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
})

/** A page of a list with the total and the next page number. */
export function paged<T>(items: readonly T[], total: number, query: PageQuery) {
  const { limit, offset } = windowOf(query)
  return ok([...items], {
    headers: { 'x-total-count': String(total) },
    next: offset + limit < total ? `${nextPage}${(query.page ?? 1) + 1}` : undefined,
  })
}

/** Prefix of page numbers in `next`, which is otherwise a keyset position. */
export const nextPage = 'page='
