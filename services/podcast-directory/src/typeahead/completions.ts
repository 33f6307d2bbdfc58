import type { Db } from '@icosa/kernel'
import { keysOf } from './prefix.ts'
import * as store from './store.ts'

/** Updates the completions of these podcasts, removing unlisted ones. */
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
