/** What a podcast's score is made of. */
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
  /** Among how many percent of all podcasts it is, from the top. */
  readonly globalRank: string
}

const dayMs = 86_400_000
const freshDays = 90

/** Who is asked for comes first; who publishes, and has for long, comes before who does not. */
export function popularity({ visits, episodes, latestPubDateMs }: Figures, now: Date): number {
  const days = Math.max(0, now.getTime() - latestPubDateMs) / dayMs
  return 3 * Math.log(1 + visits) + Math.log(1 + episodes) + 3 * 0.5 ** (days / freshDays)
}

/**
 * The first of all has 100, the last 0, and between them the score falls with the logarithm of the rank: there are few
 * podcasts with a high score and many with a low one, as there are listeners.
 */
export function scoresOf(all: readonly Figures[], now: Date): Score[] {
  const weighed = all.map((figures) => ({ id: figures.id, weight: popularity(figures, now) }))
  const ranked = weighed.sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
  return ranked.map(({ id }, place) => {
    const rank = place + 1
    const score = Math.round(100 * (1 - Math.log(rank) / Math.log(Math.max(2, all.length))))
    return { id, score: Math.max(0, score), globalRank: percent((100 * rank) / all.length) }
  })
}

/** '0.05%', '0.5%', '12%': as fine as it is high. */
function percent(share: number): string {
  const digits = share < 1 ? 2 : share < 10 ? 1 : 0
  return `${Number(Math.max(0.01, share).toFixed(digits))}%`
}
