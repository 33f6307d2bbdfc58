import type { Db, JobsOf } from '@icosa/kernel'
import { filtersOf } from './filters.ts'
import { deliverCallback } from './jobs.ts'
import { insertEvents } from './store.ts'

/** Something that happened to a user: to what, and what kind of thing that is. */
export interface Happening {
  readonly user: string
  readonly account: string
  /** As filters name it: PAYMENT, REQUEST ... */
  readonly category: string
  readonly action: 'CREATE' | 'UPDATE'
  readonly kind: string
  readonly id: string
}

/** Writes the events, and lets everybody be called who asked for it. */
export async function announce(
  { db, jobs, tenant, at }: { readonly db: Db; readonly jobs: JobsOf; readonly tenant: string; readonly at: Date },
  happened: readonly Happening[],
): Promise<void> {
  const events = await insertEvents(db, tenant, happened, at)
  const filters = await filtersOf(
    db,
    tenant,
    happened.map(({ user }) => user),
  )
  const calls = happened.flatMap((one, nth) =>
    filters
      .filter((filter) => filter.wants(one))
      .map(({ url, category, isOriginal }) => ({
        input: { url, category, isOriginal, user: one.user, event: events[nth] as string, failures: 0 },
      })),
  )
  if (calls.length > 0) await jobs.enqueueAll(deliverCallback, calls)
}
