import type { Field } from '../index/document.ts'
import type { Kind } from '../index/shelf.ts'
import type { Question } from './question.ts'

/** A range of whole numbers; either end may be open, and both belong to it. */
export interface Range {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export interface Ranges {
  readonly publishedMs?: Range
  readonly lengthSec?: Range
  readonly episodeCount?: Range
  readonly updateHours?: Range
}

/** What somebody looks for. */
export interface SearchRequest {
  readonly kind: Kind
  readonly question: Question
  /** Where the words are looked for. */
  readonly fields: readonly Field[]
  /** Of each group, one facet at least. */
  readonly facets: readonly (readonly string[])[]
  /** None of these facets. */
  readonly without: readonly string[]
  readonly ranges: Ranges
  readonly order: 'relevance' | 'date'
  readonly offset: number
  readonly limit: number
  /** One episode of each podcast. */
  readonly onePerPodcast: boolean
}

export interface Hit {
  readonly id: string
  readonly podcastId: string
}

export interface Found {
  readonly hits: readonly Hit[]
  /** Counted if there are few, estimated if there are many. */
  readonly total: number
}

export const allFields: readonly Field[] = ['title', 'author', 'description', 'audio']

/** Everything of a kind that has these facets. */
export function everything(
  kind: Kind,
  facets: SearchRequest['facets'],
  without: readonly string[],
  limit: number,
): SearchRequest {
  const question = { required: [], excluded: [] }
  const defaults = { ranges: {}, order: 'relevance', offset: 0, onePerPodcast: false } as const
  return { kind, question, fields: allFields, facets, without, limit, ...defaults }
}
