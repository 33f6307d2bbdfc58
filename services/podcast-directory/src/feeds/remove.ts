import { type Db, type Job, type JobsOf, job } from '@icosa/kernel'
import { thumbnailKey } from '../artwork/thumbnail.ts'
import { record } from '../changes/store.ts'
import { forget } from '../crawl/visits/store.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import * as episodes from './save/episode-store.ts'
import * as podcasts from './save/podcast-store.ts'

interface Removal extends episodes.PodcastKey {
  readonly thumbnail: string | null
}

const episodesAtOnce = 1_000

/** Clears away what a deleted podcast leaves behind. */
export const clearAway: Job<Removal> = job<Removal>('clearAway', {
  async run({ tenant, id, thumbnail }, { transaction, blobs, signal }) {
    const some = () => transaction((db) => episodes.removeSome(db, { tenant, id }, episodesAtOnce))
    while (!signal.aborted && (await some()) > 0);
    if (thumbnail !== null) await blobs.shared.delete(thumbnailKey(thumbnail))
  },
})

/** Deletes a podcast: it is gone at once for every caller, its episodes are cleared away in the background. */
export async function remove(db: Db, jobs: JobsOf, podcast: Podcast, reason: string, now: Date): Promise<void> {
  const { tenant, id, thumbnail } = podcast
  await podcasts.setStatus(db, podcast, 'deleted', reason, now)
  await forget(db, { tenant, kind: 'feed', id })
  await forget(db, { tenant, kind: 'artwork', id })
  await jobs.enqueue(clearAway, { tenant, id, thumbnail })
  await record(db, tenant, id, [{ kind: 'podcast', id, deleted: true }])
}
