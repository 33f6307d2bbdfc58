import type { Operation } from '@icosa/contract'
import { Failure, recentlyUsed } from '@icosa/kernel'

/** So many requests to an operation within so long. */
interface Rate {
  readonly requests: number
  readonly withinMs: number
}

const rates: Readonly<Record<string, Rate>> = {
  GET: { requests: 3, withinMs: 3_000 },
  POST: { requests: 5, withinMs: 3_000 },
  PUT: { requests: 2, withinMs: 3_000 },
  'POST /session-server': { requests: 1, withinMs: 30_000 },
}

export type Limiter = (who: string, operation: Operation) => void

/** Measured in real time on each node, as the platform's own limit is. */
export function openLimiter(): Limiter {
  const known = recentlyUsed<number[]>('banking rates', 100_000)
  return (who, { method, path }) => {
    const rate = rates[`${method} ${path}`] ?? rates[method]
    if (!rate) return
    const key = `${who} ${method} ${path}`
    const now = performance.now()
    const recent = (known.get(key) ?? []).filter((at) => at > now - rate.withinMs)
    if (recent.length >= rate.requests)
      throw new Failure(
        'rateLimited',
        `Too many requests. You can do a maximum of ${rate.requests} ${method} calls per ${rate.withinMs / 1_000} seconds to this endpoint.`,
        { retryAfterSeconds: Math.max(1, Math.ceil(((recent[0] as number) + rate.withinMs - now) / 1_000)) },
      )
    known.set(key, [...recent, now])
  }
}
