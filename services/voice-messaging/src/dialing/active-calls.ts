import type { Capacity } from '../calls/store.ts'

/** Active calls of a node. One job runs all of them, so that calls take no worker slots. */
export interface ActiveCalls {
  /** Number of calls by tenant. */
  readonly byTenant: Map<string, number>
  /** Tenant of the call assigned last. */
  last: string
  /** Wakes the job to look for due calls. */
  wake: (() => void) | undefined
}

export const noActiveCalls = (): ActiveCalls => ({ byTenant: new Map(), last: '', wake: undefined })

export function countCall({ byTenant }: ActiveCalls, tenant: string, change: 1 | -1): void {
  const calls = (byTenant.get(tenant) ?? 0) + change
  if (calls > 0) byTenant.set(tenant, calls)
  else byTenant.delete(tenant)
}

export function capacityOf({ byTenant, last }: ActiveCalls, maxCalls: number): Capacity {
  const free = [...byTenant.values()].reduce((remaining, calls) => remaining - calls, maxCalls)
  return { free, active: byTenant, after: last }
}
