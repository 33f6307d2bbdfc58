import { dayOf, monthOf, yearOf } from './calendar.ts'

export type Kind = 'episode' | 'podcast' | 'list'

/**
 * The index is divided by lists of words, not by tables: every word in it begins with its shelf. A common word is then
 * looked up on the shelf of the most popular podcasts first, and mostly there alone.
 */
export const tiers = [0, 1, 2, 3] as const
export type Tier = (typeof tiers)[number]

/** Scores fall with the logarithm of the rank: each tier has some seven times as many podcasts as the one before. */
export function tierOf(score: number): Tier {
  if (score >= 60) return 0
  if (score >= 40) return 1
  return score >= 20 ? 2 : 3
}

export const shelfOf = (tenantNumber: number, kind: Kind, tier: Tier): string => `${tenantNumber}${kind[0]}${tier}`

/** The most popular first. */
export const shelvesOf = (tenantNumber: number, kind: Kind): string[] =>
  tiers.map((tier) => shelfOf(tenantNumber, kind, tier))

/** What a word on a shelf says, by the mark before it. */
export const marks = { anywhere: '.', title: ':', facet: '~', telling: '^' } as const

/** What a document is, as a word of the index. */
export const facet = {
  language: (name: string) => `l${name}`,
  region: (code: string) => `r${code}`,
  genre: (id: number) => `g${id}`,
  podcast: (id: string) => `p${id}`,
  dates: (timeMs: number) => [dayOf(timeMs), monthOf(timeMs), yearOf(timeMs)],
  /** A region in which a podcast is listened to; it may be made elsewhere. */
  heardIn: (code: string) => `h${code}`,
  heardEverywhere: 'h*',
  explicit: 'x',
  interviews: 'i',
  sponsored: 's',
} as const

/** Podcasts and dates are not counted: shelves say of when their documents are. */
export const isCounted = (name: string): boolean => !/^[pd]/.test(name)
