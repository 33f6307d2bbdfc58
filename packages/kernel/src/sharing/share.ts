/**
 * For each place that is left free, a party may hold so many. One that has work for all places holds three quarters of
 * them; two hold three sevenths each; and so on: however many there are, whoever comes next finds a free place. Switches
 * share their buffers by the same rule ("dynamic thresholds"): it needs no list of parties and no weights.
 */
export const heldPerFree = 3

/** The platform's own work, which has no share: it takes what is free. */
export const platformParty = ''

/** What there is little of, shared between parties: tenants, or the addresses of strangers. */
export interface Share {
  /** False if it would be more than the party's share. The first one it may always take, if there is any left. */
  take(party: string, amount?: number): boolean
  give(party: string, amount?: number): void
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
    take(party, amount = 1) {
      const own = holders.get(party) ?? 0
      const left = capacity - held - amount
      if (left < 0 || (own > 0 && party !== platformParty && own + amount > heldPerFree * left)) return false
      holders.set(party, own + amount)
      held += amount
      return true
    },
    give(party, amount = 1) {
      const own = (holders.get(party) ?? 0) - amount
      if (own > 0) holders.set(party, own)
      else holders.delete(party)
      held -= amount
    },
  }
}
