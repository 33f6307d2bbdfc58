import type { Phrase } from '../question/question.ts'
import type { SearchRequest } from '../question/request.ts'
import { searchForms } from './tsquery.ts'

/** Statistics of a tenant's documents, for planning. */
export interface Statistics {
  readonly tenantNumber: number
  /** Number of documents with a word, and with it in the title. Facets are prefixed with '~'. */
  readonly counts: ReadonlyMap<string, { readonly documents: number; readonly titles: number }>
}

/** Words and facets whose counts an estimate needs. */
export function countedWords({ question, facets }: SearchRequest): string[] {
  const words = question.required.flatMap((phrase) => phrase.words.flatMap((word) => searchForms(word, phrase)))
  return [...new Set([...words, ...facets.flat().map((name) => `~${name}`)])]
}

/** Maximum number of documents with all required words. */
export const upperBoundByWords = (request: SearchRequest, statistics: Statistics): number =>
  Math.min(...request.question.required.map((phrase) => upperBound(phrase, statistics, 'documents')))

/** Maximum number of documents with the requested facets. */
export const upperBoundByFacets = ({ facets }: SearchRequest, statistics: Statistics): number =>
  Math.min(...facets.map((group) => upperBoundByAnyFacet(group, statistics)))

/** Maximum number of documents with one of these facets. Podcasts are not counted, since they are small. */
export const upperBoundByAnyFacet = (facets: readonly string[], { counts }: Statistics): number =>
  facets.reduce((sum, name) => sum + (counts.get(`~${name}`)?.documents ?? 0), 0)

/** Fraction of the matches that have all required words in the title. */
export function titleFraction({ question }: SearchRequest, statistics: Statistics): number {
  const fractions = question.required.map((phrase) => {
    const documents = Math.max(1, upperBound(phrase, statistics, 'documents'))
    return upperBound(phrase, statistics, 'titles') / documents
  })
  return Math.min(1, ...fractions)
}

function upperBound(phrase: Phrase, { counts }: Statistics, where: 'documents' | 'titles'): number {
  const formsByWord = phrase.words.map((word) => searchForms(word, phrase))
  return Math.min(...formsByWord.map((forms) => forms.reduce((sum, form) => sum + (counts.get(form)?.[where] ?? 0), 0)))
}
