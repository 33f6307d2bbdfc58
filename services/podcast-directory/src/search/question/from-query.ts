import type { Input } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import { idsOf, listOf } from '../../podcasts/ids.ts'
import type { search as contract } from '../contract.ts'
import type { Field } from '../index/document.ts'
import { facet, type Kind } from '../index/shelf.ts'
import { questionOf } from './question.ts'
import { allFields, type Range, type Ranges, type SearchRequest } from './request.ts'

type Query = Input<(typeof contract)['search']>['query']

const kinds: Readonly<Record<Query['type'], Kind>> = { episode: 'episode', podcast: 'podcast', curated: 'list' }

/** Ignores parameters that do not apply to the type, as the original API does. */
export function requestFromQuery(query: Query): SearchRequest {
  const kind = kinds[query.type]
  const excluded = kind === 'episode' ? podcastsIn(query.ncid, 'query/ncid') : []
  return {
    kind,
    question: questionOf(query.q),
    fields: fieldsOf(query.only_in),
    facets: kind === 'list' ? [] : facetsOf(query, kind),
    without: [
      ...(query.safe_mode === 1 && kind !== 'list' ? [facet.explicit] : []),
      ...excluded.map((id) => facet.podcast(id)),
    ],
    ranges: rangesOf(query, kind),
    order: query.sort_by_date === 1 ? 'date' : 'relevance',
    offset: query.offset,
    limit: query.page_size,
    onePerPodcast: kind === 'episode' && query.unique_podcasts === 1,
  }
}

function fieldsOf(text: string | undefined): readonly Field[] {
  const names = listOf(text)
  if (names.length === 0) return allFields
  const unknown = names.find((name) => !allFields.some((field) => field === name))
  if (unknown !== undefined)
    invalid([{ at: 'query/only_in', message: `contains '${unknown}': use one or more of ${allFields.join(', ')}` }])
  return allFields.filter((field) => names.includes(field))
}

const anyLanguage = 'any language'

function facetsOf(query: Query, kind: Kind): string[][] {
  const { language = '', region = '' } = query
  const podcastIds = kind === 'episode' ? podcastsIn(query.ocid, 'query/ocid') : []
  const genres = genresIn(query.genre_ids)
  return [
    ...(podcastIds.length > 0 ? [podcastIds.map(facet.podcast)] : []),
    ...(genres.length > 0 ? [genres.map(facet.genre)] : []),
    ...(language === '' || language.toLowerCase() === anyLanguage ? [] : [[facet.language(language)]]),
    ...(region === '' ? [] : [[facet.region(region.toLowerCase())]]),
    ...(query.interviews_only === 1 ? [[facet.interviews]] : []),
    ...(query.sponsored_only === 1 ? [[facet.sponsored]] : []),
  ]
}

const maxPodcasts = 5

function podcastsIn(text: string | undefined, at: string): string[] {
  const names = listOf(text)
  if (names.length > maxPodcasts)
    invalid([{ at, message: `contains ${names.length} podcasts: the maximum is ${maxPodcasts}` }])
  const ids = idsOf(text)
  // Only invalid ids match nothing.
  return ids.length > 0 || names.length === 0 ? ids : ['']
}

export function genresIn(text: string | undefined): number[] {
  return listOf(text).map((name) =>
    /^\d{1,9}$/.test(name)
      ? Number(name)
      : invalid([{ at: 'query/genre_ids', message: `contains '${name}': use ids from GET /genres` }]),
  )
}

function rangesOf(query: Query, kind: Kind): Ranges {
  const { published_before: before, published_after: after } = query
  if (before !== undefined && before <= after)
    invalid([{ at: 'query/published_before', message: 'must be greater than published_after' }])
  const seconds = (value: number | undefined) => (value === undefined ? undefined : value * 60)
  return {
    ...range('publishedMs', after > 0 ? after + 1 : undefined, before === undefined ? undefined : before - 1),
    ...(kind !== 'list' && range('lengthSec', seconds(query.len_min), seconds(query.len_max))),
    ...(kind === 'podcast' && range('episodeCount', query.episode_count_min, query.episode_count_max)),
    ...(kind === 'podcast' && range('updateHours', query.update_freq_min, query.update_freq_max)),
  }
}

const range = <Name extends keyof Ranges>(name: Name, min?: number, max?: number): { readonly [N in Name]?: Range } =>
  min === undefined && max === undefined ? {} : ({ [name]: { min, max } } as { readonly [N in Name]?: Range })
