/** Seeded generator (mulberry32), so that training is deterministic. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  shuffle(values: Int32Array): void {
    for (let i = values.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const swapped = values[i] as number
      values[i] = values[j] as number
      values[j] = swapped
    }
  }
}
