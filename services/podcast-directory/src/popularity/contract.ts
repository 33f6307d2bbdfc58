import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

const { get } = keyed(keyHeaders[0])

export const popularity = {
  getPodcastAudience: get('/podcasts/{id}/audience', {
    summary: 'Read from which regions a podcast is looked at.',
    replies: {
      200: named('PodcastAudienceResponse', {
        by_regions: Type.Array(named('RegionOfAudience', { region: Type.String(), ratio: Type.String() })),
      }),
    },
  }),
  getTrendingSearches: get('/trending_searches', {
    summary: 'List up to 10 terms that are searched for more than before.',
    replies: { 200: named('TrendingSearchesResponse', { terms: Type.Array(Type.String()) }) },
  }),
}
