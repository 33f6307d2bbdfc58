import { type Job, job } from '@icosa/kernel'
import { tenants } from '../search/index/store.ts'
import { keysOf } from './prefix.ts'
import * as store from './store.ts'

export const learnTermsEveryMs = 15 * 60_000
const maxSearches = 5_000
/** A word is suggested that stands in so many titles. */
const minTitles = 3

/** Has what people search for, and the words of titles, suggested to those who begin to type them. */
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
