import { generations } from './recently-used.ts'

export interface ExpiringCacheOptions<T> {
  /** Name in `/metrics`. */
  readonly name: string
  /** Maximum staleness: changes become visible on other nodes after this time. */
  readonly forMs: number
  /** Maximum number of entries. */
  readonly limit: number
  readonly find: (key: string) => Promise<T>
  /** Whether to cache a value; always by default. */
  readonly keep?: (value: T, key: string) => boolean
}

export interface ExpiringCache<T> {
  /** Returns a cached value without a promise: this may be on the path of every request. */
  get(key: string): T | Promise<T>
  /**
   * Invalidates a key. Call before a change commits: the key then stays uncached for `forMs`, so a value read before
   * the commit is not cached either.
   */
  forget(key: string): void
}

/** Read-through cache with expiry. Concurrent misses of a key share one read. */
export function expiringCache<T>(options: ExpiringCacheOptions<T>): ExpiringCache<T> {
  const { name, forMs, limit, find, keep = () => true } = options
  const { figures, ...entries } = generations<{ readonly value: T; readonly until: number }>(name, limit)
  const asking = new Map<string, Promise<T>>()
  const changing = new Map<string, number>()
  const isChanging = (key: string, now: number) => changing.size > 0 && (changing.get(key) ?? 0) > now

  async function ask(key: string): Promise<T> {
    const until = performance.now() + forMs // counts from the request: the answer may be stale on arrival
    try {
      const value = await find(key)
      if (keep(value, key) && !isChanging(key, performance.now())) entries.set(key, { value, until })
      return value
    } finally {
      asking.delete(key)
    }
  }

  return {
    get(key) {
      const now = performance.now()
      const entry = entries.get(key)
      if (entry && entry.until > now) {
        figures.hits++
        return entry.value
      }
      figures.misses++ // also if the read is shared
      if (isChanging(key, now)) return find(key)
      let answer = asking.get(key)
      if (!answer) {
        answer = ask(key)
        asking.set(key, answer)
      }
      return answer
    },
    forget(key) {
      const now = performance.now()
      for (const [other, until] of changing) if (until < now) changing.delete(other)
      changing.set(key, now + forMs)
      entries.delete(key)
      asking.delete(key)
    },
  }
}
