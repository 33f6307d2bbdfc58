/**
 * What a node has little of, shared between parties: tenants, or the addresses of strangers. A party may hold as much as
 * is still free, no more. So one alone gets half, two get a third each, and there is always room for whoever comes next;
 * nobody has to be known beforehand. Switches share their buffers by the same rule ("dynamic thresholds").
 */
export interface Share {
  /** False if it would be more than the party's share. */
  take(party: string, amount: number): boolean
  give(party: string, amount: number): void
  /** How much all hold together. */
  readonly held: number
}

export function share(capacity: number): Share {
  const holders = new Map<string, number>()
  let held = 0
  return {
    get held() {
      return held
    },
    take(party, amount) {
      const own = holders.get(party) ?? 0
      if (own + amount > capacity - held) return false
      holders.set(party, own + amount)
      held += amount
      return true
    },
    give(party, amount) {
      const own = (holders.get(party) ?? 0) - amount
      if (own > 0) holders.set(party, own)
      else holders.delete(party)
      held -= amount
    },
  }
}
