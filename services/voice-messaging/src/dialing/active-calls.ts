import type { Room } from '../calls/store.ts'

/** The calls under way on one node. A call takes no worker slot of its own: one job runs all of them. */
export interface ActiveCalls {
  /** How many each tenant has. */
  readonly byTenant: Map<string, number>
  /** The tenant whose call was taken last. */
  last: string
  /** Wakes the job that takes calls: some are waiting. */
  wake: (() => void) | undefined
}

export const noActiveCalls = (): ActiveCalls => ({ byTenant: new Map(), last: '', wake: undefined })

export function countCall({ byTenant }: ActiveCalls, tenant: string, change: 1 | -1): void {
  const calls = (byTenant.get(tenant) ?? 0) + change
  if (calls > 0) byTenant.set(tenant, calls)
  else byTenant.delete(tenant)
}

export function freeRoom({ byTenant, last }: ActiveCalls, callsAtOnce: number): Room {
  const free = [...byTenant.values()].reduce((left, calls) => left - calls, callsAtOnce)
  return { free, held: byTenant, after: last }
}
