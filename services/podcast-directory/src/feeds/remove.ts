import { type Db, type Job, type JobsOf, job } from '@icosa/kernel'
import { thumbnailKey } from '../artwork/thumbnail.ts'
import { record } from '../changes/store.ts'
import { remove as removeVisit } from '../crawl/visits/store.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import * as episodes from './save/episode-store.ts'
import * as podcasts from './save/podcast-store.ts'

interface Removal extends episodes.PodcastKey {
  readonly thumbnail: string | null
}

const episodesPerBatch = 1_000

/** Deletes the episodes and the thumbnail of a deleted podcast. */
export const cleanUp: Job<Removal> = job<Removal>('clearAway', {
  async run({ tenant, id, thumbnail }, { transaction, blobs, signal }) {
    const removeBatch = () => transaction((db) => episodes.removeBatch(db, { tenant, id }, episodesPerBatch))
    while (!signal.aborted && (await removeBatch()) > 0);
    if (thumbnail !== null) await blobs.shared.delete(thumbnailKey(thumbnail))
  },
})

/** Hides a podcast immediately, and deletes its episodes in the background. */
export async function remove(db: Db, jobs: JobsOf, podcast: Podcast, reason: string, now: Date): Promise<void> {
  const { tenant, id, thumbnail } = podcast
  await podcasts.setStatus(db, podcast, 'deleted', reason, now)
  await removeVisit(db, { tenant, kind: 'feed', id })
  await removeVisit(db, { tenant, kind: 'artwork', id })
  await jobs.enqueue(cleanUp, { tenant, id, thumbnail })
  await record(db, tenant, id, [{ kind: 'podcast', id, deleted: true }])
}
