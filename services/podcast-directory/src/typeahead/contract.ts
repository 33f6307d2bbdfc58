import { named, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { Genre } from '../lists/reference/contract.ts'
import { keyHeaders } from '../names.ts'
import { flag } from '../podcasts/schemas/contract.ts'
import { foundPodcastFields, searchText } from '../search/contract.ts'

const { get } = keyed(keyHeaders[0])

const PodcastTypeaheadResult = named('PodcastTypeaheadResult', {
  ...foundPodcastFields,
  explicit_content: Type.Boolean(),
})

export const typeahead = {
  typeahead: get('/typeahead', {
    summary: 'Autocomplete: suggest terms, genres and podcasts for a prefix.',
    query: Type.Object({
      q: searchText,
      show_podcasts: withDefault(flag, 0),
      show_genres: withDefault(flag, 0),
      safe_mode: withDefault(flag, 0),
    }),
    replies: {
      200: named('TypeaheadResponse', {
        terms: Type.Array(Type.String()),
        genres: Type.Optional(Type.Array(Genre)),
        podcasts: Type.Optional(Type.Array(PodcastTypeaheadResult)),
      }),
    },
  }),
  getRelatedSearches: get('/related_searches', {
    summary: 'Suggest terms related to a search.',
    query: Type.Object({ q: searchText }),
    replies: { 200: named('RelatedSearchesResponse', { terms: Type.Array(Type.String()) }) },
  }),
}
