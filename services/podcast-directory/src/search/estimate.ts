import { lookedFor } from './matching.ts'
import type { Phrase } from './query.ts'
import type { Range, Wanted } from './wanted.ts'

/** What is known of a tenant's documents before any of them is looked at. */
export interface Statistics {
  readonly tenantNumber: number
  /** How many documents each shelf holds. */
  readonly shelves: ReadonlyMap<string, number>
  /** How many documents have a word, and how many in their title. Facets stand there with a '~'. */
  readonly counts: ReadonlyMap<string, { readonly documents: number; readonly titles: number }>
  /** Dates that divide all documents into parts of the same size, if there are many. */
  readonly dates: readonly number[]
}

/** Whose counts are needed for an estimate. */
export function countedWords({ question, facets }: Wanted): string[] {
  const words = question.wanted.flatMap((phrase) => phrase.words.flatMap((word) => lookedFor(word, phrase)))
  return [...new Set([...words, ...facets.flat().map((name) => `~${name}`)])]
}

/** An episode's podcast is not counted: this is about what one has. */
const episodesOfPodcast = 100

/** Which part of all documents has the wanted words, anywhere or in the title, and the wanted facets. */
export function shareOf(wanted: Wanted, { shelves, counts }: Statistics, where: 'documents' | 'titles'): number {
  const all = Math.max(
    1,
    [...shelves.values()].reduce((sum, count) => sum + count, 0),
  )
  const countOf = (word: string) =>
    word.startsWith('~p') ? episodesOfPodcast : (counts.get(word)?.[word.startsWith('~') ? 'documents' : where] ?? 0)
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + countOf(word), 0)
  const phraseCount = (phrase: Phrase) => Math.min(...phrase.words.map((word) => sum(lookedFor(word, phrase))))
  const counted = [
    ...wanted.question.wanted.map(phraseCount),
    ...wanted.facets.map((group) => sum(group.map((name) => `~${name}`))),
  ]
  return together(counted.map((count) => Math.min(1, count / all)))
}

/** Words that are searched together also occur together: the second rarest counts with its root, and so on. */
function together(shares: readonly number[]): number {
  return shares.toSorted((a, b) => a - b).reduce((product, share, nth) => product * share ** (1 / 2 ** nth), 1)
}

/** Which part of all documents lies in a range of dates. */
export function shareOfDates({ min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {}, dates: readonly number[]): number {
  if (dates.length < 2) return 1
  const inside = dates.filter((date) => date >= min && date <= max).length
  return Math.min(1, (inside + 1) / dates.length)
}
