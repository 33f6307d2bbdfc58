import { type Db, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import type { Change } from '../../changes/change.ts'
import { forget, readAfter } from '../../changes/store.ts'
import { completePodcasts } from '../../typeahead/completions.ts'
import { indexSources } from './indexing.ts'
import * as sources from './source-store.ts'
import * as store from './store.ts'

/** So often a worker looks for what was written. */
export const followEveryMs = 1_000
const changesAtOnce = 500

/** Brings the search index up to date with everything that was written since the last time. */
export const followChanges: Job<object> = job<object>('followChanges', {
  retries: 0, // the next one is a second away
  async run(_, { transaction, signal }) {
    const some = () => transaction(followSome)
    while (!signal.aborted && (await some()) === changesAtOnce);
  },
})

/** Follows a number of changes; answers how many there were. */
async function followSome(db: Db, jobs: JobsOf): Promise<number> {
  await store.lockIndex(db)
  const changes = await readAfter(db, 0, changesAtOnce) // who comes late with a small number is read the next time
  const last = changes.at(-1)
  if (!last) return 0
  for (const [tenant, some] of Map.groupBy(changes, (change) => change.tenant)) await follow(db, jobs, tenant, some)
  await forget(db, last.number)
  return changes.length
}

async function follow(db: Db, jobs: JobsOf, tenant: string, changes: readonly Change[]): Promise<void> {
  const idsOf = (kind: Change['kind']) => [...new Set(changes.flatMap((one) => (one.kind === kind ? one.id : [])))]
  const [podcastIds, episodeIds] = [idsOf('podcast'), idsOf('episode')]
  // What is deleted, or belongs to a podcast that is not listed, is not among the sources.
  const podcasts = await sources.podcasts(db, tenant, podcastIds)
  const episodes = await sources.episodes(db, tenant, episodeIds)
  const [listed, shown] = [new Set(podcasts.map(({ id }) => id)), new Set(episodes.map(({ id }) => id))]
  await store.remove(
    db,
    tenant,
    'podcast',
    podcastIds.filter((id) => !listed.has(id)),
  )
  await store.remove(
    db,
    tenant,
    'episode',
    episodeIds.filter((id) => !shown.has(id)),
  )
  const number = await store.numberOf(db, tenant)
  for (const id of podcastIds) if (!listed.has(id)) await store.removeEpisodesOf(db, number, { tenant, id })
  await indexSources(db, tenant, [...podcasts, ...episodes])
  await completePodcasts(db, tenant, podcastIds)
  const inherited = new Set(changes.flatMap((one) => (one.inherited && listed.has(one.id) ? one.id : [])))
  for (const podcastId of inherited)
    await jobs.enqueue(indexEpisodes, { tenant, podcastId }, { tenant, key: podcastId })
}

const episodesAtOnce = 200

/** Indexes all episodes of a podcast anew: what they have of it is another. */
export const indexEpisodes: Job<{ readonly tenant: string; readonly podcastId: string }> = job('indexEpisodes', {
  async run({ tenant, podcastId }, { transaction, signal }: JobContext) {
    let after: string | undefined = ''
    while (after !== undefined && !signal.aborted) {
      const from = after
      after = await transaction(async (db) => {
        await store.lockIndex(db)
        const some = await sources.episodesOf(db, { tenant, id: podcastId }, from, episodesAtOnce)
        await indexSources(db, tenant, some)
        return some.length === episodesAtOnce ? some.at(-1)?.id : undefined
      })
    }
  },
})
