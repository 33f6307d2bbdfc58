import type { SqlSettings } from '../settings.ts'
import type { Capacity } from './store.ts'

/** Maximum number of connections of one tenant: its quota, but never those reserved for others. */
export const budgetOf = ({ connections }: Capacity, { tenant, reservedConnections }: SqlSettings) =>
  Math.max(1, Math.min(tenant.connections, connections - reservedConnections))

/**
 * Max-min fairness: small requests are met in full, the others share the rest equally. Each gets at least one, so there should
 * not be more requests than the budget.
 */
export function fairShares(budget: number, desired: readonly number[]): number[] {
  const maxShare = maxShareOf(
    budget,
    desired.toSorted((a, b) => a - b),
  )
  return desired.map((count) => Math.max(1, Math.min(count, maxShare)))
}

function maxShareOf(budget: number, ascending: readonly number[]): number {
  let remaining = budget
  for (const [index, count] of ascending.entries()) {
    const equal = Math.floor(remaining / (ascending.length - index))
    if (count > equal) return equal
    remaining -= count
  }
  return Number.POSITIVE_INFINITY
}
