import type { SqlSettings } from '../settings.ts'
import type { Capacity } from './store.ts'

/** How many connections one tenant has: as many as it is given, and never those that are reserved for others. */
export const budgetOf = ({ connections }: Capacity, { tenant, reservedConnections }: SqlSettings) =>
  Math.max(1, Math.min(tenant.connections, connections - reservedConnections))

/**
 * Divides a budget among those who want parts of it: the modest get all that they want, the others equal parts of the
 * rest. Everybody gets one, so there should not be more of them than the budget has.
 */
export function fairShares(budget: number, desired: readonly number[]): number[] {
  const most = largestShare(
    budget,
    desired.toSorted((a, b) => a - b),
  )
  return desired.map((count) => Math.max(1, Math.min(count, most)))
}

function largestShare(budget: number, ascending: readonly number[]): number {
  let left = budget
  for (const [index, count] of ascending.entries()) {
    const equal = Math.floor(left / (ascending.length - index))
    if (count > equal) return equal
    left -= count
  }
  return Number.POSITIVE_INFINITY
}
