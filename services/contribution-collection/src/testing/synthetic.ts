import { seededRandom } from '@icosa/testing'
import { geohashOf } from '../geo/geohash.ts'
import { maxPrecision } from '../geo/place.ts'
import { wordKey, wordsOf } from '../text/words.ts'

/** A generated contribution, for bulk inserts and brute-force search. */
export interface Synthetic {
  readonly id: string
  readonly assignment: string
  readonly author: string
  readonly owner: string
  readonly state: string
  readonly isPublic: boolean
  readonly createdAt: Date
  readonly headline: string
  readonly words: readonly string[]
  readonly urlWords: string
  readonly country: string | null
  readonly point: { readonly latitude: number; readonly longitude: number } | null
  readonly cell: string | null
  readonly cellPrecision: number | null
  readonly mediaTypes: readonly string[]
}

const syllables = [
  'snow',
  'flood',
  'storm',
  'fire',
  'train',
  'bridge',
  'river',
  'café',
  'park',
  'march',
  'vote',
  'road',
]
/** Most frequent first. */
const vocabulary = Array.from({ length: 2_000 }, (_, nth) =>
  nth < syllables.length ? (syllables[nth] as string) : `word${nth}`,
)
export const countries = ['GB', 'US', 'DE', 'FR', 'ES', 'IN', 'BR', 'AU', 'NG', 'JP', 'FJ', 'NZ']
/** Centres of most places; one is at the antimeridian, one near a pole. */
const centres = [
  [51.5, -0.12],
  [40.7, -74],
  [52.5, 13.4],
  [48.85, 2.35],
  [-33.9, 151.2],
  [28.6, 77.2],
  [-17.7, 179.99],
  [89.5, 10],
] as const

export interface Sizes {
  readonly contributions: number
  readonly assignments: readonly { readonly id: string; readonly owner: string }[]
  readonly authors: number
  readonly days: number
}

export const epoch = Date.UTC(2026, 0, 1)

/** Generates contributions with a skewed distribution of places, words and authors. */
export function* contributions(sizes: Sizes, seed = 1, first = 1): Generator<Synthetic> {
  const random = seededRandom(seed)
  const skewed = (length: number) => Math.floor(length * random() ** 3)
  const pick = <T>(all: readonly T[]) => all[skewed(all.length)] as T
  for (let nth = 0; nth < sizes.contributions; nth++) {
    const id = String(first + nth)
    const { id: assignment, owner } = pick(sizes.assignments)
    const headline = Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(vocabulary)).join(' ')
    const chance = random()
    const state = chance < 0.85 ? 'approved' : chance < 0.95 ? 'pending' : 'rejected'
    yield {
      id,
      assignment,
      owner,
      author: `person${skewed(sizes.authors)}`,
      state,
      isPublic: state === 'approved',
      createdAt: new Date(epoch + Math.floor((nth / sizes.contributions) * sizes.days * 86_400_000)),
      headline,
      words: wordsOf(headline),
      urlWords: `${wordsOf(headline).join('-')}-${id}`,
      country: random() < 0.8 ? pick(countries) : null,
      ...placeOf(random, pick),
      mediaTypes: [...(random() < 0.6 ? ['image'] : []), ...(random() < 0.2 ? ['video'] : [])],
    }
  }
}

function placeOf(random: () => number, pick: <T>(all: readonly T[]) => T) {
  if (random() < 0.3) return { point: null, cell: null, cellPrecision: null }
  const [latitude, longitude] = pick(centres)
  const spread = random() < 0.1 ? 60 : random() < 0.5 ? 0.05 : 1
  const point = {
    latitude: Math.max(-90, Math.min(90, latitude + (random() - 0.5) * spread)),
    longitude: ((longitude + (random() - 0.5) * spread + 540) % 360) - 180,
  }
  return { point, cell: geohashOf(point, maxPrecision), cellPrecision: random() < 0.1 ? 5 : maxPrecision }
}

export const keysOf = (tenant: string, words: readonly string[]) => words.map((word) => wordKey(tenant, word))
