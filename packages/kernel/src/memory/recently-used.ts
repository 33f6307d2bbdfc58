/** Keeps what was used lately. */
export interface RecentlyUsed<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  size(): number
}

/**
 * Two generations, each half of the limit: when the young one is full it becomes the old one, and what was old and not
 * used since is forgotten. Nothing is moved or searched on the way.
 */
export function recentlyUsed<T>(limit: number): RecentlyUsed<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()

  function set(key: string, value: T): void {
    if (young.size >= limit / 2) {
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
    size: () => young.size + old.size,
  }
}
