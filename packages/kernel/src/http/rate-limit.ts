import { Failure } from '../errors.ts'

/** So many requests a second, and so many at once after a rest. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

const bucketsLimit = 100_000

/** A token bucket for every tenant, and every address of anonymous callers. In real time: it protects the node. */
export function rateLimiter(limit: RateLimit | undefined): (party: string) => void {
  if (!limit) return () => {}
  const { perSecond, burst } = limit
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (party) => {
    const now = performance.now()
    let bucket = buckets.get(party)
    if (!bucket) {
      if (buckets.size >= bucketsLimit) buckets.clear()
      bucket = { tokens: burst, at: now }
      buckets.set(party, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (bucket.tokens < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
      throw new Failure('rateLimited', `More than ${perSecond} requests a second: wait and try again.`, {
        retryAfterSeconds,
      })
    }
    bucket.tokens -= 1
  }
}
