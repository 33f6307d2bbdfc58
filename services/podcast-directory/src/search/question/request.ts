import type { Field } from '../index/document.ts'
import type { Kind } from '../index/shelf.ts'
import type { Question } from './question.ts'

/** An inclusive range of integers, open at undefined ends. */
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

export interface SearchRequest {
  readonly kind: Kind
  readonly question: Question
  /** Fields to search. */
  readonly fields: readonly Field[]
  /** At least one facet of each group. */
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

export interface SearchPage {
  readonly hits: readonly Hit[]
  /** Exact if small, else estimated. */
  readonly total: number
}

export const allFields: readonly Field[] = ['title', 'author', 'description', 'audio']

/** All documents of a kind with these facets. */
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
