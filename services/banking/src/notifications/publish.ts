import type { Db, JobsOf } from '@icosa/kernel'
import { allocatePayment } from '../allocations/jobs.ts'
import { deliverCallback } from './jobs.ts'
import { mailEvent } from './mail.ts'
import { insertEvents } from './store.ts'
import { subscriptionsOf } from './subscriptions-store.ts'

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

/** Stores events, and enqueues callbacks and mails to subscribers, and the allocation of received payments. */
export async function publish(
  { db, jobs, tenant, at }: { readonly db: Db; readonly jobs: JobsOf; readonly tenant: string; readonly at: Date },
  events: readonly DomainEvent[],
  received: readonly DomainEvent[] = [],
): Promise<void> {
  const subscriptions = await subscriptionsOf(
    db,
    tenant,
    events.map(({ user }) => user),
  )
  const isPushed = (event: DomainEvent) => subscriptions.filtersFor('NotificationFilterPush', event).length > 0
  const rows = events.map((event) => ({ ...event, isPushed: isPushed(event) }))
  const ids = await insertEvents(db, tenant, rows, at)
  const idOf = (nth: number) => ids[nth] as string
  const calls = events.flatMap((event, nth) =>
    subscriptions
      .filtersFor('NotificationFilterUrl', event)
      .map(({ notification_target: url, category, isOriginal }) => ({
        input: { url, category, isOriginal, user: event.user, event: idOf(nth), failures: 0 },
      })),
  )
  const mails = events.flatMap((event, nth) =>
    subscriptions
      .filtersFor('NotificationFilterEmail', event)
      .slice(0, 1)
      .map(({ category }) => ({ input: { user: event.user, event: idOf(nth), category } })),
  )
  const allocations = received.flatMap(({ account, id }) =>
    subscriptions.rulesOf(account).map((rule) => ({ input: { rule, account, payment: id } })),
  )
  if (calls.length > 0) await jobs.enqueueAll(deliverCallback, calls)
  if (mails.length > 0) await jobs.enqueueAll(mailEvent, mails)
  if (allocations.length > 0) await jobs.enqueueAll(allocatePayment, allocations)
}
