/** Seeded pseudo-random numbers, the same on every machine. */
export interface Random {
  /** From 0 to 1, exclusive. */
  next(): number
  /** An integer from 0 to `below`, exclusive. */
  below(below: number): number
  pick<T>(all: readonly T[]): T
  chance(probability: number): boolean
  /** Log-normal around a median, as lengths of texts and talks are. */
  around(median: number, spread: number): number
}

export function randomOf(...seeds: readonly number[]): Random {
  let state = seeds.reduce(
    (hash, seed) => Math.imul(hash ^ (seed + 0x9e3779b9), 0x85ebca6b) ^ (hash >>> 13),
    0x2545f491,
  )

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: <T>(all: readonly T[]) => all[below(all.length)] as T,
    chance: (probability) => next() < probability,
    around(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * Math.exp(spread * normal)
    },
  }
}

/** Zipf-distributed ranks from 0 to `count` - 1. */
export function zipf(count: number): (random: Random) => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  return (random) => {
    const target = random.next() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}
