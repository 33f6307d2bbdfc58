import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { podcastId } from '../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0], { id: podcastId })

export const popularity = {
  getPodcastAudience: get('/podcasts/{id}/audience', {
    summary: 'Read the audience of a podcast by region.',
    replies: {
      200: named('PodcastAudienceResponse', {
        by_regions: Type.Array(named('RegionOfAudience', { region: Type.String(), ratio: Type.String() })),
      }),
    },
  }),
  getTrendingSearches: get('/trending_searches', {
    summary: 'List up to 10 trending search terms.',
    replies: { 200: named('TrendingSearchesResponse', { terms: Type.Array(Type.String()) }) },
  }),
}
