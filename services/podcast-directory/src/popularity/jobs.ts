import { type Job, job } from '@icosa/kernel'
import { indexSources } from '../search/index/indexing.ts'
import { indexEpisodes } from '../search/index/jobs.ts'
import { tierOf } from '../search/index/shelf.ts'
import { podcasts as sourcesOfPodcasts } from '../search/index/source-store.ts'
import { lockIndex, tenants } from '../search/index/store.ts'
import { completePodcasts } from '../typeahead/completions.ts'
import { scoresOf } from './score.ts'
import { figures, setScores } from './score-store.ts'
import * as store from './store.ts'

export const scoreEveryMs = 6 * 3_600_000
const podcastsPerBatch = 500

/** Scores every podcast, and reindexes those whose score has changed. */
export const scorePodcasts: Job<object> = job<object>('scorePodcasts', {
  async run(_, { db, transaction, clock, signal }) {
    const now = clock.now()
    for (const tenant of await tenants(db)) {
      const before = new Map((await figures(db, tenant, now)).map((podcast) => [podcast.id, podcast]))
      const changed = scoresOf([...before.values()], now).filter(({ id, score, globalRank }) => {
        const previous = before.get(id)
        return previous?.score !== score || previous.globalRank !== globalRank
      })
      for (let from = 0; from < changed.length && !signal.aborted; from += podcastsPerBatch) {
        const batch = changed.slice(from, from + podcastsPerBatch)
        const ids = batch.map(({ id }) => id)
        await transaction(async (writing, jobs) => {
          await lockIndex(writing)
          await setScores(writing, tenant, batch)
          await indexSources(writing, tenant, await sourcesOfPodcasts(writing, tenant, ids))
          await completePodcasts(writing, tenant, ids)
          for (const { id, score } of batch) {
            // Episodes are on the shelf of their podcast's tier.
            if (tierOf(score) !== tierOf(before.get(id)?.score ?? 0))
              await jobs.enqueue(indexEpisodes, { tenant, podcastId: id }, { tenant, key: id })
          }
        })
      }
    }
  },
})

export const compactEveryMs = 3_600_000

/** Merges the hours of past days. */
export const compactNotes: Job<object> = job<object>('compactNotes', {
  async run(_, { transaction, clock }) {
    const now = clock.now()
    while (await transaction((db) => store.compactSearches(db, now)));
  },
})
