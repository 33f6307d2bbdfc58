import { named, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../../names.ts'
import { flag } from '../../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0])

export const Genre = named('Genre', {
  id: Type.Integer(),
  name: Type.String(),
  parent_id: Type.Nullable(Type.Integer()),
})

export const reference = {
  getGenres: get('/genres', {
    summary: 'List the genres of podcasts.',
    query: Type.Object({ top_level_only: withDefault(flag, 0) }),
    replies: { 200: named('GetGenresResponse', { genres: Type.Array(Genre) }) },
  }),
  getRegions: get('/regions', {
    summary: 'List the regions of best podcasts.',
    replies: { 200: named('GetRegionsResponse', { regions: Type.Record(Type.String()) }) },
  }),
  getLanguages: get('/languages', {
    summary: 'List the languages of podcasts.',
    replies: { 200: named('GetLanguagesResponse', { languages: Type.Array(Type.String()) }) },
  }),
}
