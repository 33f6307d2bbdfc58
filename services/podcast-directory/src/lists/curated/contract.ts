import { identifier, named, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../../names.ts'
import { PodcastMinimum, PodcastSimple, pageFields, pageNumber } from '../../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0], { id: identifier('curated list', { maxLength: 100 }) })

const listFields = {
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  source_url: Type.String(),
  source_domain: Type.String(),
  vendor_url: Type.String(),
  pub_date_ms: Type.Integer(),
  total: Type.Integer({ description: 'Number of podcasts in the list.' }),
}

export const CuratedListSimple = named('CuratedListSimple', { ...listFields, podcasts: Type.Array(PodcastMinimum) })
export const CuratedListFull = named('CuratedListFull', { ...listFields, podcasts: Type.Array(PodcastSimple) })

export const curated = {
  getCuratedPodcasts: get('/curated_podcasts', {
    summary: 'List curated lists, latest first, with up to 5 podcasts each.',
    query: Type.Object({ page: withDefault(pageNumber, 1) }),
    replies: {
      200: named('GetCuratedPodcastsResponse', {
        curated_lists: Type.Array(CuratedListSimple),
        total: Type.Integer(),
        ...pageFields,
      }),
    },
  }),
  getCuratedPodcastById: get('/curated_podcasts/{id}', {
    summary: 'Read a curated list with all its podcasts.',
    replies: { 200: CuratedListFull },
  }),
}
