/** Deterministic random numbers from 0 to just under 1. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Deterministic random integers below a limit. */
export function seededBelow(seed: number): (limit: number) => number {
  const random = seededRandom(seed)
  return (limit) => Math.floor(random() * limit)
}
