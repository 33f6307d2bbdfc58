import type { Phrase } from '../question/question.ts'
import type { SearchRequest } from '../question/request.ts'
import { lookedFor } from './tsquery.ts'

/** What is known of a tenant's documents before any of them is looked at. */
export interface Statistics {
  readonly tenantNumber: number
  /** How many documents have a word, and how many in their title. Facets stand there with a '~'. */
  readonly counts: ReadonlyMap<string, { readonly documents: number; readonly titles: number }>
}

/** Whose counts are needed for an estimate. */
export function countedWords({ question, facets }: SearchRequest): string[] {
  const words = question.required.flatMap((phrase) => phrase.words.flatMap((word) => lookedFor(word, phrase)))
  return [...new Set([...words, ...facets.flat().map((name) => `~${name}`)])]
}

/** No more documents than this can have all required words. */
export const upperBoundByWords = (request: SearchRequest, known: Statistics): number =>
  Math.min(...request.question.required.map((phrase) => upperBound(phrase, known, 'documents')))

/** No more documents than this can have the requested facets. */
export const upperBoundByFacets = ({ facets }: SearchRequest, known: Statistics): number =>
  Math.min(...facets.map((group) => upperBoundByAnyFacet(group, known)))

/** No more documents than this can have one of these facets. Podcasts are not counted: what one has is little. */
export const upperBoundByAnyFacet = (facets: readonly string[], { counts }: Statistics): number =>
  facets.reduce((sum, name) => sum + (counts.get(`~${name}`)?.documents ?? 0), 0)

/** Which part of those that have all required words has them all in the title. */
export function shareOfTitles({ question }: SearchRequest, known: Statistics): number {
  const shares = question.required.map((phrase) => {
    const documents = Math.max(1, upperBound(phrase, known, 'documents'))
    return upperBound(phrase, known, 'titles') / documents
  })
  return Math.min(1, ...shares)
}

function upperBound(phrase: Phrase, { counts }: Statistics, where: 'documents' | 'titles'): number {
  const forms = phrase.words.map((word) => lookedFor(word, phrase))
  return Math.min(...forms.map((some) => some.reduce((sum, form) => sum + (counts.get(form)?.[where] ?? 0), 0)))
}
