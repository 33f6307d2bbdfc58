import { isStopWord, wordsOf } from '../words.ts'
import { sampleShelves } from './sample.ts'
import { type Kind, marks, shelfOf, tierOf } from './shelf.ts'

/** A searchable row of the tables. */
export interface Source {
  readonly tenant: string
  readonly kind: Kind
  readonly id: string
  /** Empty for a list. */
  readonly podcastId: string
  readonly title: string
  /** Publisher; for an episode, also its podcast. */
  readonly author: string
  /** Plain text. */
  readonly description: string
  readonly transcript: string
  readonly facets: readonly string[]
  /** From 0 to 100. */
  readonly score: number
  readonly publishedMs: number
  readonly lengthSec: number
  readonly episodeCount: number
  readonly updateHours: number
}

/** Words of a source by searchable field. */
export interface Words {
  readonly title: readonly string[]
  readonly author: readonly string[]
  readonly description: readonly string[]
  readonly audio: readonly string[]
}

export type Field = keyof Words

/** tsvector has four weights, and positions up to 16,383. Gaps prevent phrases across fields. */
const layout: Readonly<Record<Field, { readonly weight: string; readonly from: number; readonly max: number }>> = {
  title: { weight: 'A', from: 1, max: 150 },
  author: { weight: 'B', from: 200, max: 150 },
  description: { weight: 'C', from: 400, max: 2_500 },
  audio: { weight: 'D', from: 3_000, max: 13_000 },
}
export const weightOf = (field: Field): string => layout[field].weight
const fields = Object.keys(layout) as Field[]

export function wordsOfSource({ title, author, description, transcript }: Source): Words {
  const words = (field: Field, text: string) => wordsOf(text).slice(0, layout[field].max)
  return {
    title: words('title', title),
    author: words('author', author),
    description: words('description', description),
    audio: words('audio', transcript),
  }
}

/** An indexed document. */
export interface Document extends Omit<Source, 'title' | 'author' | 'description' | 'transcript'> {
  readonly shelf: string
  readonly place: number
  readonly telling: Readonly<Record<string, number>>
  /** A tsvector. */
  readonly terms: string
}

/** Above all dates, which are below 10^13 for the next 280 years. */
const scoreStep = 10_000_000_000_000

export function documentOf(
  source: Source,
  words: Words,
  tenantNumber: number,
  telling: Readonly<Record<string, number>>,
): Document {
  const { tenant, kind, id, podcastId, facets, score, publishedMs, lengthSec, episodeCount, updateHours } = source
  const shelf = shelfOf(tenantNumber, kind, tierOf(score))
  const place = kind === 'podcast' ? score * scoreStep + publishedMs : publishedMs
  const samples = sampleShelves(tenantNumber, kind, id).map((sample) => wordTerms(sample, words))
  const terms = wordTerms(shelf, words) + factTerms(shelf, facets, Object.keys(telling)) + samples.join('')
  const figures = { score, publishedMs, lengthSec, episodeCount, updateHours }
  return { tenant, kind, id, podcastId, facets, ...figures, shelf, place, telling, terms }
}

function wordTerms(shelf: string, words: Words): string {
  const positions = new Map<string, string>()
  for (const field of fields) {
    const { weight, from } = layout[field]
    for (const [nth, word] of words[field].entries()) {
      const previous = positions.get(word)
      positions.set(word, `${previous === undefined ? '' : `${previous},`}${from + nth}${weight}`)
    }
  }
  let terms = ''
  for (const [word, places] of positions) terms += `'${shelf}${marks.anywhere}${word}':${places} `
  for (const word of new Set(words.title)) terms += `'${shelf}${marks.title}${word}' `
  return terms
}

function factTerms(shelf: string, facets: readonly string[], telling: readonly string[]): string {
  let terms = ''
  for (const word of telling) terms += `'${shelf}${marks.telling}${word}' `
  for (const name of facets) terms += `${lexeme(shelf + marks.facet + name)} `
  return terms
}

/** Quotes a word for a tsvector or tsquery. */
export const lexeme = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Number of documents with a word. */
export type CountOf = (word: string) => number

const maxTelling = 12
const titleWeight = 3

/** Significant words (TF-IDF) as a unit vector, without those of a single document. */
export function tellingOf({ title, description }: Words, countOf: CountOf, all: number): Record<string, number> {
  const times = new Map<string, number>()
  for (const word of description) times.set(word, (times.get(word) ?? 0) + 1)
  for (const word of title) times.set(word, (times.get(word) ?? 0) + titleWeight)
  const weights: [word: string, weight: number][] = []
  for (const [word, count] of times) {
    const documents = countOf(word)
    if (documents < 2 || word.length < 2 || isStopWord(word) || /^\d+$/.test(word)) continue
    weights.push([word, (1 + Math.log(count)) * Math.log(1 + all / documents)])
  }
  const best = weights.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxTelling)
  const length = Math.hypot(...best.map(([, weight]) => weight))
  return Object.fromEntries(best.map(([word, weight]) => [word, Math.round((weight / length) * 1_000) / 1_000]))
}
