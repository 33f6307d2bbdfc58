import { type CacheFigures, figuresOf } from './cache-figures.ts'

/** Keeps what was used lately. */
export interface RecentlyUsed<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  size(): number
}

/** Under the name it has figures in `/metrics`. */
export function recentlyUsed<T>(name: string, limit: number): RecentlyUsed<T> {
  const { figures, ...kept } = generations<T>(name, limit)
  return {
    ...kept,
    get(key) {
      const found = kept.get(key)
      if (found === undefined) figures.misses++
      else figures.hits++
      return found
    },
  }
}

/**
 * Two generations, each half of the limit: when the young one is full it becomes the old one, and what was old and not
 * used since is forgotten. Nothing is moved or searched on the way.
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
      const found = young.get(key)
      if (found !== undefined) return found
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
