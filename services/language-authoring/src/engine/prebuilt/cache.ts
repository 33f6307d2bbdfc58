/** Keeps what was asked for lately, up to so many answers. */
export class Cache<Value> {
  readonly #kept = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  take(key: string, make: () => Value): Value {
    const known = this.#kept.get(key)
    if (known !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known
    }
    const made = make()
    this.#kept.set(key, made)
    if (this.#kept.size > this.#most)
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest)
        break
      }
    return made
  }
}
