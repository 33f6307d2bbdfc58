import type { Named } from '../../tenants/named.ts'
import type { FollowedTable } from '../follow.ts'
import type { RoutedCell } from '../table/table.ts'

/** How long requests of a tenant on hold wait. */
const maxWaitMs = 5_000
const maxWaiting = 10_000
const maxWaitingOfOne = 1_000

/** Finds cells for requests. Those of a tenant that is on hold wait until it is in its new cell. */
export interface CellFinder {
  /** Returns the cell, or undefined if the tenant is still on hold after the wait, or too many requests wait. */
  find(named: Named | undefined, signal: AbortSignal): Promise<RoutedCell | undefined>
  waiting(): number
}

export function cellFinder({ table, changed }: FollowedTable): CellFinder {
  const waitingOf = new Map<string, number>()
  let waiting = 0
  const routeOf = (named: Named | undefined) => named && table.find(named)
  const count = (name: string, by: 1 | -1) => {
    waiting += by
    const ofOne = (waitingOf.get(name) ?? 0) + by
    if (ofOne === 0) waitingOf.delete(name)
    else waitingOf.set(name, ofOne)
  }
  return {
    waiting: () => waiting,
    async find(named, signal) {
      let route = routeOf(named)
      if (!route?.isOnHold) return route?.cell ?? table.home
      const name = JSON.stringify(named)
      if (waiting >= maxWaiting || (waitingOf.get(name) ?? 0) >= maxWaitingOfOne) return undefined
      count(name, 1)
      try {
        const until = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
        while (route?.isOnHold && !until.aborted) {
          await changed(until)
          route = routeOf(named)
        }
      } finally {
        count(name, -1)
      }
      return route?.isOnHold ? undefined : (route?.cell ?? table.home)
    },
  }
}
