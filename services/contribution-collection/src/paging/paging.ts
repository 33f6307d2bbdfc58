import { ok } from '@icosa/kernel'
import type { Window } from './store.ts'

export interface PageQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

/** Of lists that the original answers whole: as many as fit. */
export const maxPageSize = 1_000

export const windowOf = ({ page = 1, pageSize = maxPageSize }: PageQuery): Window => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
})

/** A page of a list with its total, and the number of the next page if there is one. */
export function paged<T>(items: readonly T[], total: number, query: PageQuery) {
  const { limit, offset } = windowOf(query)
  return ok([...items], {
    headers: { 'x-total-count': String(total) },
    next: offset + limit < total ? `${nextPage}${(query.page ?? 1) + 1}` : undefined,
  })
}

/** Before the number of a page in `next`, which otherwise is where a keyset goes on. */
export const nextPage = 'page='
