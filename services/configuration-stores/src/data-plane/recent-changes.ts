/** Names of stores whose keys may just have changed here: for a second nobody believes what they remember of them. */
export interface RecentChanges {
  note(name: string): void
  has(name: string): boolean
}

const settledMs = 1_000

/** Noted before the change commits, so that what was read in between is not remembered either. */
export function recentChanges(): RecentChanges {
  const until = new Map<string, number>()
  return {
    note(name) {
      const now = performance.now()
      for (const [other, end] of until) if (end < now) until.delete(other)
      until.set(name.toLowerCase(), now + settledMs)
    },
    has: (name) => (until.get(name.toLowerCase()) ?? 0) > performance.now(),
  }
}
