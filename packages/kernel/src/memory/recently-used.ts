import { type CacheFigures, figuresOf } from './cache-figures.ts'

/** Approximate LRU cache. */
export interface RecentlyUsed<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  size(): number
}

/** `name` labels its statistics in `/metrics`. */
export function recentlyUsed<T>(name: string, limit: number): RecentlyUsed<T> {
  const { figures, ...entries } = generations<T>(name, limit)
  return {
    ...entries,
    get(key) {
      const value = entries.get(key)
      if (value === undefined) figures.misses++
      else figures.hits++
      return value
    },
  }
}

/**
 * Two generations, each half of the limit: when the young one is full it replaces the old one, whose unused entries are
 * evicted. No entry is moved or searched for eviction.
 */
export function generations<T>(name: string, limit: number): RecentlyUsed<T> & { readonly figures: CacheFigures } {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  const size = () => young.size + old.size
  const figures = figuresOf(name, size)

  function set(key: string, value: T): void {
    if (young.size >= limit / 2) {
      figures.evictions += old.size
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) {
        old.delete(key)
        set(key, older)
      }
      return older
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    size,
    figures,
  }
}
