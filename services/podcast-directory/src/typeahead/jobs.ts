import { type Job, job } from '@icosa/kernel'
import { tenants } from '../search/index/store.ts'
import { keysOf } from './prefix.ts'
import * as store from './store.ts'

export const learnTermsEveryMs = 15 * 60_000
const maxSearches = 5_000
/** Minimum number of titles with a suggested word. */
const minTitles = 3

/** Updates the completions from searches and title words. */
export const learnTerms: Job<object> = job<object>('learnTerms', {
  async run(_, { db, transaction, clock, signal }) {
    for (const tenant of await tenants(db)) {
      if (signal.aborted) return
      const searches = await store.searched(db, tenant, clock.now(), maxSearches)
      const completions = searches.flatMap(({ term, searches: weight }) =>
        keysOf(term).map((key) => ({ key, podcastId: '', text: term, weight, explicit: false })),
      )
      await transaction((writing) => store.replaceSearches(writing, tenant, completions))
      await transaction((writing) => store.addTitleWords(writing, tenant, minTitles))
    }
  },
})
