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

export function openLimiter(): Limiter {
  const count = slidingWindows('banking rates')
  return (who, { method, path }) => {
    const rate = rates[`${method} ${path}`] ?? rates[method]
    if (rate)
      count(`${who} ${method} ${path}`, rate, `${method} calls per ${rate.withinMs / 1_000} seconds to this endpoint`)
  }
}

/** Counts an anonymous request of an address: anyone gets as many tokens and users of the sandbox as they ask for. */
export type AddressLimiter = (ip: string) => void

export function openAddressLimiter(perMinute: number): AddressLimiter {
  const count = slidingWindows('banking addresses')
  const rate = { requests: perMinute, withinMs: 60_000 }
  return (ip) => count(ip, rate, 'calls per minute without a session')
}

/** Measured in real time on each node, as the platform's own limit is. */
function slidingWindows(name: string): (key: string, rate: Rate, what: string) => void {
  const known = recentlyUsed<number[]>(name, 100_000)
  return (key, { requests, withinMs }, what) => {
    const now = performance.now()
    const recent = (known.get(key) ?? []).filter((at) => at > now - withinMs)
    if (recent.length >= requests)
      throw new Failure('rateLimited', `Too many requests. You can do a maximum of ${requests} ${what}.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(((recent[0] as number) + withinMs - now) / 1_000)),
      })
    known.set(key, [...recent, now])
  }
}
