import { type Db, type Platform, type ReadingDb, writeBehind } from '@icosa/kernel'
import * as store from './store.ts'
import { monthOf, QuotaExceeded, type Usage } from './usage.ts'

/** Counts the requests of every tenant on one node. */
export interface Meter {
  /** Counts a request, or refuses it. `db` is read only for a tenant that the node has not seen in this month. */
  count(db: Db, tenant: string): Promise<Usage>
  /** Adds what was counted to the database. */
  flush(): Promise<void>
}

/** What a node knows of a tenant: the database's sum when it was last read, and what it has counted since. */
interface Counter {
  readonly tenant: string
  readonly month: string
  stored: number
  counted: number
}

const flushEveryMs = 5_000
const flushEveryRequests = 100

/**
 * A request costs no write: a node adds what it counted every five seconds and every hundred requests, or every
 * hundredth part of the quota if that is less. So nodes together let through at most a hundredth each too many, and one
 * that is killed forgets as much.
 */
export function openMeter(
  { database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>,
  quota: number | undefined,
): Meter {
  const counters = new Map<string, Counter>()
  const share = Math.min(flushEveryRequests, Math.max(1, Math.floor((quota ?? Number.MAX_SAFE_INTEGER) / 100)))
  const { soon, flush } = writeBehind({
    everyMs: flushEveryMs,
    write: add,
    onError: (error) => log.error({ err: error }, 'usage was not written; it will be tried again'),
  })

  async function counterOf(db: ReadingDb, tenant: string, month: string): Promise<Counter> {
    const key = `${tenant} ${month}`
    const known = counters.get(key)
    if (known) return known
    const stored = await store.requestsOf(db, tenant, month)
    const fresh = counters.get(key) ?? { tenant, month, stored, counted: 0 } // another request may have been faster
    counters.set(key, fresh)
    return fresh
  }

  async function add(): Promise<void> {
    const counts = [...counters].flatMap(([key, { tenant, month, counted }]) =>
      counted > 0 ? [{ key, tenant, month, requests: counted }] : [],
    )
    if (counts.length === 0) return
    const sums = new Map((await store.add(database, counts)).map((sum) => [`${sum.tenant} ${sum.month}`, sum.requests]))
    const { month } = monthOf(clock.now())
    for (const { key, requests } of counts) {
      const counter = counters.get(key)
      if (!counter) continue
      counter.counted -= requests
      counter.stored = sums.get(key) ?? counter.stored
      if (counter.month !== month && counter.counted === 0) counters.delete(key)
    }
  }

  return {
    flush,
    async count(db, tenant) {
      const now = clock.now()
      const { month, next } = monthOf(now)
      const counter = await counterOf(db, tenant, month)
      const used = counter.stored + counter.counted
      if (quota !== undefined && used >= quota) throw new QuotaExceeded({ used, quota, nextBillingDate: next }, now)
      counter.counted++
      if (counter.counted % share === 0) void flush()
      else soon()
      return { used: used + 1, quota, nextBillingDate: next }
    },
  }
}
