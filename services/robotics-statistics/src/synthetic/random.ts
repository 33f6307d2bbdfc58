/** Deterministic pseudorandom numbers. */
export interface Random {
  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number
  /** Returns a number around `middle`, by a bell-shaped distribution. */
  around(middle: number, spread: number): number
  chance(share: number): boolean
  of<T>(choices: readonly T[]): T
  shuffled<T>(all: readonly T[]): T[]
}

export function randomOf(...seeds: readonly number[]): Random {
  let state = seeds.reduce((all, seed) => (Math.imul(all ^ seed, 0x9e3779b1) + 0x85ebca6b) | 0, 0x2545f491)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    around: (middle, spread) => middle + (next() + next() + next() - 1.5) * spread,
    chance: (share) => next() < share,
    of: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    shuffled<T>(all: readonly T[]): T[] {
      const copy = [...all]
      for (let index = copy.length - 1; index > 0; index--) {
        const other = below(index + 1)
        const swapped = copy[index] as T
        copy[index] = copy[other] as T
        copy[other] = swapped
      }
      return copy
    },
  }
}
