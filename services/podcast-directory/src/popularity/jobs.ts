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
const podcastsAtOnce = 500

/** Gives every podcast its score, and those that are no longer what they were a new place in the index. */
export const scorePodcasts: Job<object> = job<object>('scorePodcasts', {
  async run(_, { db, transaction, clock, signal }) {
    const now = clock.now()
    for (const tenant of await tenants(db)) {
      const before = new Map((await figures(db, tenant, now)).map((one) => [one.id, one]))
      const changed = scoresOf([...before.values()], now).filter(({ id, score, globalRank }) => {
        const known = before.get(id)
        return known?.score !== score || known.globalRank !== globalRank
      })
      for (let from = 0; from < changed.length && !signal.aborted; from += podcastsAtOnce) {
        const some = changed.slice(from, from + podcastsAtOnce)
        const ids = some.map(({ id }) => id)
        await transaction(async (writing, jobs) => {
          await lockIndex(writing)
          await setScores(writing, tenant, some)
          await indexSources(writing, tenant, await sourcesOfPodcasts(writing, tenant, ids))
          await completePodcasts(writing, tenant, ids)
          for (const { id, score } of some) {
            // Its episodes stand on the shelf of its tier.
            if (tierOf(score) !== tierOf(before.get(id)?.score ?? 0))
              await jobs.enqueue(indexEpisodes, { tenant, podcastId: id }, { tenant, key: id })
          }
        })
      }
    }
  },
})

export const compactEveryMs = 3_600_000

/** Puts the hours of past days together. */
export const compactNotes: Job<object> = job<object>('compactNotes', {
  async run(_, { transaction, clock }) {
    const now = clock.now()
    while (await transaction((db) => store.compactSearches(db, now)));
  },
})
