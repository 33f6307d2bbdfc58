import { type ReadingDb, sql } from '@icosa/kernel'
import { originalTabCategory } from '../names.ts'
import { type Filter, filterStores, type StoredFilters } from './filters.ts'
import type { DomainEvent } from './publish.ts'

interface Row {
  readonly kind: string
  readonly id: string
  readonly user: string
  readonly account: string | null
  readonly body: StoredFilters
}

const kinds = [...Object.keys(filterStores), 'PaymentAutoAllocate']

export interface Subscriptions {
  /** Filters of one kind that match an event. */
  filtersFor(
    kind: keyof typeof filterStores,
    event: DomainEvent,
  ): readonly (Filter & { readonly isOriginal: boolean })[]
  /** Active allocation rules of an account. */
  rulesOf(account: string): readonly string[]
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

/** Everything that waits for events of some users, in one statement. */
export async function subscriptionsOf(db: ReadingDb, tenant: string, users: readonly string[]): Promise<Subscriptions> {
  const rows = await db.many<Row>(sql`
    select kind, id, user_id as user, account_id as account, body from banking.records
    where tenant = ${tenant} and kind = any(${kinds}) and user_id = any(${[...new Set(users)]}) and status = 'ACTIVE'`)
  return {
    filtersFor: (kind, event) =>
      rows
        .filter((row) => row.kind === kind && row.user === event.user)
        .filter(({ account }) => account === null || account === event.account)
        .flatMap(({ body }) => body.filters.map((filter) => ({ ...filter, isOriginal: body.isOriginal })))
        .filter(({ category }) => covers(category, event.category)),
    rulesOf: (account) =>
      rows.filter((row) => row.kind === 'PaymentAutoAllocate' && row.account === account).map(({ id }) => id),
  }
}
