/** Inputs of a podcast's score. */
export interface Figures {
  readonly id: string
  /** Requests for it and its episodes in the last 30 days. */
  readonly visits: number
  readonly episodes: number
  readonly latestPubDateMs: number
}

export interface Score {
  readonly id: string
  /** From 0 to 100. */
  readonly score: number
  /** Top percentage of all podcasts to which it belongs. */
  readonly globalRank: string
}

const dayMs = 86_400_000
const freshDays = 90

/** Weighs visits most, then recent and many episodes. */
export function popularity({ visits, episodes, latestPubDateMs }: Figures, now: Date): number {
  const days = Math.max(0, now.getTime() - latestPubDateMs) / dayMs
  return 3 * Math.log(1 + visits) + Math.log(1 + episodes) + 3 * 0.5 ** (days / freshDays)
}

/** Scores decrease from 100 to 0 with the logarithm of the rank, so that few podcasts have high scores, as few have many listeners. */
export function scoresOf(all: readonly Figures[], now: Date): Score[] {
  const weights = all.map((figures) => ({ id: figures.id, weight: popularity(figures, now) }))
  const ranked = weights.sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
  return ranked.map(({ id }, index) => {
    const rank = index + 1
    const score = Math.round(100 * (1 - Math.log(rank) / Math.log(Math.max(2, all.length))))
    return { id, score: Math.max(0, score), globalRank: percent((100 * rank) / all.length) }
  })
}

/** '0.05%', '0.5%', '12%': finer for higher ranks. */
function percent(share: number): string {
  const digits = share < 1 ? 2 : share < 10 ? 1 : 0
  return `${Number(Math.max(0.01, share).toFixed(digits))}%`
}
