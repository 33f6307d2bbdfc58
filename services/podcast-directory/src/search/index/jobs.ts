import { type Db, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import type { Change } from '../../changes/change.ts'
import { readAfter, removeUpTo } from '../../changes/store.ts'
import { completePodcasts } from '../../typeahead/completions.ts'
import { indexSources } from './indexing.ts'
import * as sources from './source-store.ts'
import * as store from './store.ts'

export const followEveryMs = 1_000
const changesPerBatch = 500

/** Applies all outstanding changes to the search index. */
export const followChanges: Job<object> = job<object>('followChanges', {
  retries: 0, // the next one is a second away
  async run(_, { transaction, signal }) {
    const nextBatch = () => transaction(followBatch)
    while (!signal.aborted && (await nextBatch()) === changesPerBatch);
  },
})

/** Applies a batch of changes. Returns their number. */
async function followBatch(db: Db, jobs: JobsOf): Promise<number> {
  await store.lockIndex(db)
  const changes = await readAfter(db, 0, changesPerBatch) // from 0, since smaller numbers may appear late
  const last = changes.at(-1)
  if (!last) return 0
  for (const [tenant, group] of Map.groupBy(changes, (change) => change.tenant)) await follow(db, jobs, tenant, group)
  await removeUpTo(db, last.number)
  return changes.length
}

async function follow(db: Db, jobs: JobsOf, tenant: string, changes: readonly Change[]): Promise<void> {
  const idsOf = (kind: Change['kind']) => [
    ...new Set(changes.flatMap((change) => (change.kind === kind ? change.id : []))),
  ]
  const [podcastIds, episodeIds] = [idsOf('podcast'), idsOf('episode')]
  // The sources do not include deleted and unlisted ones.
  const podcasts = await sources.podcasts(db, tenant, podcastIds)
  const episodes = await sources.episodes(db, tenant, episodeIds)
  const [listedPodcasts, listedEpisodes] = [
    new Set(podcasts.map(({ id }) => id)),
    new Set(episodes.map(({ id }) => id)),
  ]
  await store.remove(
    db,
    tenant,
    'podcast',
    podcastIds.filter((id) => !listedPodcasts.has(id)),
  )
  await store.remove(
    db,
    tenant,
    'episode',
    episodeIds.filter((id) => !listedEpisodes.has(id)),
  )
  const number = await store.numberOf(db, tenant)
  for (const id of podcastIds) if (!listedPodcasts.has(id)) await store.removeEpisodesOf(db, number, { tenant, id })
  await indexSources(db, tenant, [...podcasts, ...episodes])
  await completePodcasts(db, tenant, podcastIds)
  const inherited = new Set(changes.flatMap(({ id, inherited }) => (inherited && listedPodcasts.has(id) ? id : [])))
  for (const podcastId of inherited)
    await jobs.enqueue(indexEpisodes, { tenant, podcastId }, { tenant, key: podcastId })
}

const episodesPerBatch = 200

/** Reindexes all episodes of a podcast whose inherited fields have changed. */
export const indexEpisodes: Job<{ readonly tenant: string; readonly podcastId: string }> = job('indexEpisodes', {
  async run({ tenant, podcastId }, { transaction, signal }: JobContext) {
    let after: string | undefined = ''
    while (after !== undefined && !signal.aborted) {
      const from = after
      after = await transaction(async (db) => {
        await store.lockIndex(db)
        const batch = await sources.episodesOf(db, { tenant, id: podcastId }, from, episodesPerBatch)
        await indexSources(db, tenant, batch)
        return batch.length === episodesPerBatch ? batch.at(-1)?.id : undefined
      })
    }
  },
})
