import type { Metrics } from '@icosa/kernel'
import { createMetrics } from '@icosa/telemetry'
import type { FollowedTable } from './follow.ts'
import type { CellFinder } from './proxy/hold.ts'

/** Figures of a router, and what counts the answers of cells. */
export function routerMetrics({ table }: FollowedTable, finder: CellFinder) {
  const answers = new Map<string, Map<number, number>>()
  const figures: Metrics = createMetrics()
  figures.counter('icosa_router_requests_total', 'Requests by cell and status.', () =>
    [...answers].flatMap(([cell, counts]) =>
      [...counts].map(([status, value]) => ({ labels: { cell, status: String(status) }, value })),
    ),
  )
  figures.gauge('icosa_router_requests_on_hold', 'Requests that wait for a tenant on hold.', finder.waiting)
  figures.gauge('icosa_router_table_version', 'Version of the directory.', () => Number(table.version))
  return {
    figures,
    count(cell: string, status: number): void {
      const counts = answers.get(cell) ?? new Map<number, number>()
      answers.set(cell, counts)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    },
  }
}
