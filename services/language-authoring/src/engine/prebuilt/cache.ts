/** LRU cache. */
export class Cache<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  take(key: string, compute: () => Value): Value {
    const cached = this.#entries.get(key)
    if (cached !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, cached)
      return cached
    }
    const value = compute()
    this.#entries.set(key, value)
    if (this.#entries.size > this.#maxEntries)
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    return value
  }
}
