import { assert } from '../assert.ts'

/**
 * The units a tenant may use for each unit left free. Alone, it gets three quarters of the capacity; two tenants get three
 * sevenths each; and so on, so that a newcomer always finds a free unit. Switches share their buffers by the same rule
 * ("dynamic thresholds"): it needs neither a list of tenants nor weights.
 */
export const usedPerFree = 3

/** Internal work is exempt from fair sharing. A symbol, so that no caller can be mistaken for it. */
export const INTERNAL: unique symbol = Symbol('internal')

/** Who is charged: a tenant, the address of an anonymous caller, or the platform itself. */
export type FairnessKey = string | typeof INTERNAL

/** A capacity shared fairly between tenants and the addresses of anonymous callers. */
export interface FairQuota {
  /** False if it would exceed the key's share. Its first unit is granted whenever one is left. */
  acquire(key: FairnessKey, amount?: number): boolean
  release(key: FairnessKey, amount?: number): void
  /** The total in use. */
  readonly inUse: number
}

export function fairQuota(capacity: number): FairQuota {
  const usage = new Map<FairnessKey, number>()
  let inUse = 0
  return {
    get inUse() {
      return inUse
    },
    acquire(key, amount = 1) {
      assert(key !== '', 'An empty fairness key has no share.')
      const own = usage.get(key) ?? 0
      const left = capacity - inUse - amount
      if (left < 0 || (own > 0 && key !== INTERNAL && own + amount > usedPerFree * left)) return false
      usage.set(key, own + amount)
      inUse += amount
      assert(inUse <= capacity, 'More is in use than the capacity.')
      return true
    },
    release(key, amount = 1) {
      const own = (usage.get(key) ?? 0) - amount
      assert(own >= 0, 'A fairness key releases more than it acquired.')
      if (own > 0) usage.set(key, own)
      else usage.delete(key)
      inUse -= amount
    },
  }
}
