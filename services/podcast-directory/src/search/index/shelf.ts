import { dayOf, monthOf, yearOf } from './calendar.ts'

export type Kind = 'episode' | 'podcast' | 'list'

/**
 * The index is partitioned by prefix: every word in it starts with its shelf. A common word is searched on the shelf of the
 * most popular podcasts first, which is usually sufficient.
 */
export const tiers = [0, 1, 2, 3] as const
export type Tier = (typeof tiers)[number]

/** Since scores are logarithmic, each tier has about seven times as many podcasts as the previous one. */
export function tierOf(score: number): Tier {
  if (score >= 60) return 0
  if (score >= 40) return 1
  return score >= 20 ? 2 : 3
}

export const shelfOf = (tenantNumber: number, kind: Kind, tier: Tier): string => `${tenantNumber}${kind[0]}${tier}`

/** Most popular first. */
export const shelvesOf = (tenantNumber: number, kind: Kind): string[] =>
  tiers.map((tier) => shelfOf(tenantNumber, kind, tier))

/** Marks before a word that tell its kind. */
export const marks = { anywhere: '.', title: ':', facet: '~', telling: '^' } as const

/** Properties of a document as words of the index. */
export const facet = {
  language: (name: string) => `l${name}`,
  region: (code: string) => `r${code}`,
  genre: (id: number) => `g${id}`,
  podcast: (id: string) => `p${id}`,
  dates: (timeMs: number) => [dayOf(timeMs), monthOf(timeMs), yearOf(timeMs)],
  /** A region in which a podcast is heard. */
  heardIn: (code: string) => `h${code}`,
  heardEverywhere: 'h*',
  explicit: 'x',
  interviews: 'i',
  sponsored: 's',
} as const

/** Podcasts and dates are not counted, since shelves count dates. */
export const isCounted = (name: string): boolean => !/^[pd]/.test(name)
