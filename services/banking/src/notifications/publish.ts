import type { Db, JobsOf } from '@icosa/kernel'
import { filtersOf } from './filters.ts'
import { deliverCallback } from './jobs.ts'
import { insertEvents } from './store.ts'

/** A change of a resource of a user. */
export interface DomainEvent {
  readonly user: string
  readonly account: string
  /** As in filters: PAYMENT, REQUEST ... */
  readonly category: string
  readonly action: 'CREATE' | 'UPDATE'
  readonly kind: string
  readonly id: string
}

/** Stores events, and enqueues callbacks to subscribers. */
export async function publish(
  { db, jobs, tenant, at }: { readonly db: Db; readonly jobs: JobsOf; readonly tenant: string; readonly at: Date },
  events: readonly DomainEvent[],
): Promise<void> {
  const ids = await insertEvents(db, tenant, events, at)
  const filters = await filtersOf(
    db,
    tenant,
    events.map(({ user }) => user),
  )
  const calls = events.flatMap((event, nth) =>
    filters
      .filter((filter) => filter.matches(event))
      .map(({ url, category, isOriginal }) => ({
        input: { url, category, isOriginal, user: event.user, event: ids[nth] as string, failures: 0 },
      })),
  )
  if (calls.length > 0) await jobs.enqueueAll(deliverCallback, calls)
}
