import { fairSemaphore } from '@icosa/kernel'

/** How many turns a node takes at the same time. More of them would not be faster, but each would take longer. */
const turnsAtOnce = 3
const companyMs = 10_000

/** The turns that tenants take on one node. */
export interface Turns {
  run<T>(tenant: string, turn: () => Promise<T>): Promise<T>
  /** Whether another tenant had something evaluated here a moment ago. To be asked once for each turn. */
  hasCompany(tenant: string): boolean
}

export function openTurns(): Turns {
  const gate = fairSemaphore(turnsAtOnce)
  let last = ''
  let othersAtMs = Number.NEGATIVE_INFINITY
  return {
    run: (tenant, turn) => gate.run(tenant, turn),
    hasCompany(tenant) {
      const nowMs = performance.now()
      if (last !== '' && tenant !== last) othersAtMs = nowMs
      last = tenant
      return nowMs - othersAtMs < companyMs
    },
  }
}
