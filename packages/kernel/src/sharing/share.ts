import { assert } from '../assert.ts'

/**
 * For each place that is left free, a party may hold so many. One that has work for all places holds three quarters of
 * them; two hold three sevenths each; and so on: however many there are, whoever comes next finds a free place. Switches
 * share their buffers by the same rule ("dynamic thresholds"): it needs no list of parties and no weights.
 */
export const heldPerFree = 3

/** Internal work is exempt from fair sharing. A symbol, so that no caller can be taken for it. */
export const INTERNAL: unique symbol = Symbol('internal')

/** A tenant, the address of an anonymous caller, or the platform itself. */
export type Party = string | typeof INTERNAL

/** What there is little of, shared between parties: tenants, or the addresses of strangers. */
export interface Share {
  /** False if it would be more than the party's share. The first one it may always take, if there is any left. */
  take(party: Party, amount?: number): boolean
  give(party: Party, amount?: number): void
  /** How much all hold together. */
  readonly held: number
}

export function share(capacity: number): Share {
  const holders = new Map<Party, number>()
  let held = 0
  return {
    get held() {
      return held
    },
    take(party, amount = 1) {
      assert(party !== '', 'A party without a name has no share.')
      const own = holders.get(party) ?? 0
      const left = capacity - held - amount
      if (left < 0 || (own > 0 && party !== INTERNAL && own + amount > heldPerFree * left)) return false
      holders.set(party, own + amount)
      held += amount
      assert(held <= capacity, 'More is taken than there is.')
      return true
    },
    give(party, amount = 1) {
      const own = (holders.get(party) ?? 0) - amount
      assert(own >= 0, 'A party gives back more than it took.')
      if (own > 0) holders.set(party, own)
      else holders.delete(party)
      held -= amount
    },
  }
}
