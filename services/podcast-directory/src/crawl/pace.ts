const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A tenth of what lies between two episodes, but a feed that has been silent for long is asked ever more seldom. */
export function nextFeedVisitMs(updateFrequencyHours: number, silentMs: number, ttlMs: number): number {
  const intervalMs = Math.max((updateFrequencyHours * hourMs) / 10, silentMs / 20, ttlMs)
  return Math.min(Math.max(intervalMs, hourMs / 2), 7 * dayMs)
}

/** After the nth failure in a row; never after the last, until somebody asks. */
export function retryAfterMs(failures: number): number | undefined {
  return failures >= 20 ? undefined : Math.min(2 ** failures * hourMs, 7 * dayMs)
}

/** How long a host wants to be left alone that says so, in seconds or as a date; an hour if it does not say. */
export function backoffMs(retryAfter: string | null, now: Date): number {
  const requestedMs = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '') - now.getTime()
  return Number.isNaN(requestedMs) ? hourMs : Math.min(Math.max(requestedMs, 60_000), dayMs)
}
