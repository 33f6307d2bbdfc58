import type { ReadingDb } from '@icosa/kernel'
import { documentStore } from '../documents/store.ts'
import { originalTabCategory } from '../names.ts'
import type { DomainEvent } from './publish.ts'

export interface Filter {
  readonly category: string
  readonly notification_target: string
}

export interface StoredFilters {
  readonly filters: readonly Filter[]
  /** Whether the subscriber uses the original spelling. */
  readonly isOriginal: boolean
}

/** One document per user, and one per account with filters. */
export const filterStore = documentStore<StoredFilters>('NotificationFilterUrl')

export interface Subscription {
  readonly url: string
  readonly category: string
  readonly isOriginal: boolean
  matches(event: DomainEvent): boolean
}

/** Categories that include others: every payment changes a balance, for instance. */
const covered: Readonly<Record<string, readonly string[]>> = {
  MUTATION: ['PAYMENT'],
  [originalTabCategory]: ['VENDORME_TAB'],
  // From filters of earlier versions.
  CARD_TRANSACTION: ['CARD_TRANSACTION_SUCCESSFUL', 'CARD_TRANSACTION_FAILED'],
}
const covers = (category: string, published: string) =>
  category === published || (covered[category]?.includes(published) ?? false)

export async function filtersOf(db: ReadingDb, tenant: string, users: readonly string[]): Promise<Subscription[]> {
  const rows = await Promise.all([...new Set(users)].map((user) => filterStore.listOfUser(db, tenant, user)))
  return rows.flat().flatMap(({ user, account, body }) =>
    body.filters.map(({ category, notification_target: url }) => ({
      url,
      category,
      isOriginal: body.isOriginal,
      matches: (event) =>
        event.user === user && (account === null || account === event.account) && covers(category, event.category),
    })),
  )
}
