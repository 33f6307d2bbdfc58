const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A tenth of the interval between episodes; feeds without news are visited less and less often. */
export function nextFeedVisitMs(updateFrequencyHours: number, silentMs: number, ttlMs: number): number {
  const intervalMs = Math.max((updateFrequencyHours * hourMs) / 10, silentMs / 20, ttlMs)
  return Math.min(Math.max(intervalMs, hourMs / 2), 7 * dayMs)
}

/** Pause after consecutive failures; undefined after the last, until a refresh is requested. */
export function retryAfterMs(failures: number): number | undefined {
  return failures >= 20 ? undefined : Math.min(2 ** failures * hourMs, 7 * dayMs)
}

/** Pause that a host requests in seconds or as a date; an hour by default. */
export function backoffMs(retryAfter: string | null, now: Date): number {
  const requestedMs = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '') - now.getTime()
  return Number.isNaN(requestedMs) ? hourMs : Math.min(Math.max(requestedMs, 60_000), dayMs)
}
