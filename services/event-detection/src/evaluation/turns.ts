import { fairSemaphore } from '@icosa/kernel'

/** Concurrent turns per node: more would only slow each other down. */
const concurrency = 3
const competitionMs = 10_000

/** Fair scheduling of turns on one node. */
export interface Turns {
  run<T>(tenant: string, turn: () => Promise<T>): Promise<T>
  /** Whether another tenant had a turn recently. To be called once per turn. */
  hasCompetition(tenant: string): boolean
}

export function openTurns(): Turns {
  const gate = fairSemaphore(concurrency)
  let last = ''
  let othersAtMs = Number.NEGATIVE_INFINITY
  return {
    run: (tenant, turn) => gate.run(tenant, turn),
    hasCompetition(tenant) {
      const nowMs = performance.now()
      if (last !== '' && tenant !== last) othersAtMs = nowMs
      last = tenant
      return nowMs - othersAtMs < competitionMs
    },
  }
}
