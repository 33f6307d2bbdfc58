import type { Db } from '@icosa/kernel'
import { keysOf } from './prefix.ts'
import * as store from './store.ts'

/** Has these podcasts found by what somebody types; those that are not listed, no more. */
export async function completePodcasts(db: Db, tenant: string, podcastIds: readonly string[]): Promise<void> {
  if (podcastIds.length === 0) return
  const rows = await store.titles(db, tenant, podcastIds)
  const completions = rows.flatMap(({ id, title, publisher, score, explicit }) =>
    [...keysOf(title), ...keysOf(publisher, 2)].map((key) => ({
      key,
      podcastId: id,
      text: title,
      weight: score ?? 0,
      explicit,
    })),
  )
  await store.replacePodcasts(db, tenant, podcastIds, completions)
}
