import type { Operation } from '@icosa/contract'
import { Failure, recentlyUsed } from '@icosa/kernel'

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

export type Limiter = (caller: string, operation: Operation) => void

export function openLimiter(): Limiter {
  const count = slidingWindows('banking rates')
  return (caller, { method, path }) => {
    const rate = rates[`${method} ${path}`] ?? rates[method]
    if (rate)
      count(
        `${caller} ${method} ${path}`,
        rate,
        `${method} calls per ${rate.withinMs / 1_000} seconds to this endpoint`,
      )
  }
}

/** Rate limits anonymous requests by address: tokens and sandbox users are free for anyone. */
export type AddressLimiter = (ip: string) => void

export function openAddressLimiter(perMinute: number): AddressLimiter {
  const count = slidingWindows('banking addresses')
  const rate = { requests: perMinute, withinMs: 60_000 }
  return (ip) => count(ip, rate, 'calls per minute without a session')
}

/** Measured in real time on each node, like the platform's own limit. */
function slidingWindows(name: string): (key: string, rate: Rate, what: string) => void {
  const requestTimes = recentlyUsed<number[]>(name, 100_000)
  return (key, { requests, withinMs }, what) => {
    const now = performance.now()
    const recent = (requestTimes.get(key) ?? []).filter((at) => at > now - withinMs)
    if (recent.length >= requests)
      throw new Failure('rateLimited', `Too many requests. You can do a maximum of ${requests} ${what}.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(((recent[0] as number) + withinMs - now) / 1_000)),
      })
    requestTimes.set(key, [...recent, now])
  }
}
