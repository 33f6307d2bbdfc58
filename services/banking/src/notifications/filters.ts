import { documentStore } from '../documents/store.ts'

export interface Filter {
  readonly category: string
  /** Of callbacks only. */
  readonly notification_target: string
}

export interface StoredFilters {
  readonly filters: readonly Filter[]
  /** Whether the subscriber uses the original spelling. */
  readonly isOriginal: boolean
}

/** By kind: one document per user, and for callbacks one per account with filters. */
export const filterStores = {
  NotificationFilterUrl: documentStore<StoredFilters>('NotificationFilterUrl'),
  NotificationFilterPush: documentStore<StoredFilters>('NotificationFilterPush'),
  NotificationFilterEmail: documentStore<StoredFilters>('NotificationFilterEmail'),
} as const
export type FilterKind = keyof typeof filterStores
