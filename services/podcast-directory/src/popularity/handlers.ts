import { implement, notFound, ok } from '@icosa/kernel'
import { listed } from '../podcasts/store.ts'
import { popularity as contract } from './contract.ts'
import * as store from './store.ts'

const maxTerms = 10

export const popularity = implement(contract, {
  async getPodcastAudience({ params }, { db, clock, caller: { tenant } }) {
    const id = params.id
    const [podcast] = await listed(db, tenant, [id])
    if (!podcast) notFound('podcast', id)
    const regions = await store.visitsByRegion(db, tenant, id, clock.now())
    const all = regions.reduce((sum, { visits }) => sum + visits, 0)
    return ok({
      by_regions: regions.map(({ region, visits }) => ({ region, ratio: `${((100 * visits) / all).toFixed(2)}%` })),
    })
  },

  async getTrendingSearches(_, { db, clock, caller }) {
    return ok({ terms: await store.trending(db, caller.tenant, clock.now(), maxTerms) })
  },
})
