import { Failure } from '../errors.ts'

/** A token bucket: its refill rate and its size. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

const maxBuckets = 100_000

/** One token bucket per tenant and per anonymous address. In real time, since it protects the node. */
export function rateLimiter(limit: RateLimit | undefined): (fairnessKey: string) => void {
  if (!limit) return () => {}
  const { perSecond, burst } = limit
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (fairnessKey) => {
    const now = performance.now()
    let bucket = buckets.get(fairnessKey)
    if (!bucket) {
      if (buckets.size >= maxBuckets) buckets.clear()
      bucket = { tokens: burst, at: now }
      buckets.set(fairnessKey, bucket)
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
