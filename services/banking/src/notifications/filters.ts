import type { ReadingDb } from '@icosa/kernel'
import { originalTabCategory } from '../names.ts'
import { records } from '../records/store.ts'
import type { Happening } from './announce.ts'

export interface Filter {
  readonly category: string
  readonly notification_target: string
}

export interface KeptFilters {
  readonly filters: readonly Filter[]
  /** In whose spelling the caller who asked for them writes. */
  readonly isOriginal: boolean
}

/** One record for a user, and one for each of its accounts that has filters. */
export const filterRecords = records<KeptFilters>('NotificationFilterUrl')

export interface WantedCall {
  readonly url: string
  readonly category: string
  readonly isOriginal: boolean
  wants(happened: Happening): boolean
}

/** Categories that stand for others: every payment changes a balance, for instance. */
const covered: Readonly<Record<string, readonly string[]>> = {
  MUTATION: ['PAYMENT'],
  [originalTabCategory]: ['VENDORME_TAB'],
  // In filters of earlier versions.
  CARD_TRANSACTION: ['CARD_TRANSACTION_SUCCESSFUL', 'CARD_TRANSACTION_FAILED'],
}
const covers = (category: string, happened: string) =>
  category === happened || (covered[category]?.includes(happened) ?? false)

export async function filtersOf(db: ReadingDb, tenant: string, users: readonly string[]): Promise<WantedCall[]> {
  const kept = await Promise.all([...new Set(users)].map((user) => filterRecords.listOfUser(db, tenant, user)))
  return kept.flat().flatMap(({ user, account, body }) =>
    body.filters.map(({ category, notification_target: url }) => ({
      url,
      category,
      isOriginal: body.isOriginal,
      wants: (happened) =>
        happened.user === user &&
        (account === null || account === happened.account) &&
        covers(category, happened.category),
    })),
  )
}
