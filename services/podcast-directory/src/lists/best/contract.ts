import { named, oneOf, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../../names.ts'
import { flag, PodcastSimple, pageFields, pageNumber } from '../../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0])
const word = Type.String({ maxLength: 60 })

export const best = {
  getBestPodcasts: get('/best_podcasts', {
    summary: 'List the best podcasts of a genre and a region.',
    query: Type.Object({
      genre_id: Type.Optional(word),
      page: withDefault(pageNumber, 1),
      region: withDefault(word, 'us'),
      publisher_region: Type.Optional(word),
      language: Type.Optional(word),
      sort: withDefault(
        oneOf(
          'recent_added_first',
          'oldest_added_first',
          'recent_published_first',
          'oldest_published_first',
          'listen_score',
        ),
        'recent_added_first',
      ),
      safe_mode: withDefault(flag, 0),
    }),
    replies: {
      200: named('BestPodcastsResponse', {
        id: Type.Integer(),
        name: Type.String(),
        parent_id: Type.Nullable(Type.Integer()),
        vendor_url: Type.String(),
        podcasts: Type.Array(PodcastSimple),
        total: Type.Integer(),
        ...pageFields,
      }),
    },
  }),
}
