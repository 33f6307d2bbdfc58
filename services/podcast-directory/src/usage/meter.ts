import { type Db, type Platform, type ReadingDb, writeBehind } from '@icosa/kernel'
import * as store from './store.ts'
import { monthOf, QuotaExceeded, type Usage } from './usage.ts'

/** Counts the requests of every tenant on one node. */
export interface Meter {
  /** Counts or refuses a request. `db` is read only for a tenant's first request of the month on this node. */
  count(db: Db, tenant: string): Promise<Usage>
  /** Writes the counts to the database. */
  flush(): Promise<void>
}

/** A tenant's counter: the last sum read from the database, and the requests counted since. */
interface Counter {
  readonly tenant: string
  readonly month: string
  stored: number
  counted: number
}

const flushEveryMs = 5_000
const flushEveryRequests = 100

/**
 * Counts with write-behind: a node flushes every five seconds and every hundred requests, or every hundredth of the quota if
 * that is less. Each node may exceed the quota by at most a hundredth, and loses as much if it is killed.
 */
export function openMeter(
  { database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>,
  quota: number | undefined,
): Meter {
  const counters = new Map<string, Counter>()
  const flushAfter = Math.min(flushEveryRequests, Math.max(1, Math.floor((quota ?? Number.MAX_SAFE_INTEGER) / 100)))
  const { soon, flush } = writeBehind({
    everyMs: flushEveryMs,
    write: add,
    onError: (error) => log.error({ err: error }, 'usage was not written; it will be retried'),
  })

  async function counterOf(db: ReadingDb, tenant: string, month: string): Promise<Counter> {
    const key = `${tenant} ${month}`
    const existing = counters.get(key)
    if (existing) return existing
    const stored = await store.requestsOf(db, tenant, month)
    const counter = counters.get(key) ?? { tenant, month, stored, counted: 0 } // a concurrent request may have created it
    counters.set(key, counter)
    return counter
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
      if (counter.counted % flushAfter === 0) void flush()
      else soon()
      return { used: used + 1, quota, nextBillingDate: next }
    },
  }
}
