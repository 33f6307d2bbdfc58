import { join, sql } from '@icosa/kernel'
import { coverOf } from './cover.ts'
import type { Geography } from './geography.ts'
import { after } from './geohash.ts'

/** Geohash ranges, for any PostgreSQL. Adjacent cells are merged. */
export const cells: Geography = {
  name: 'cells',
  around(circle) {
    const ranges: { from: string; to: string }[] = []
    for (const cell of coverOf(circle, circle.radiusKm)) {
      const last = ranges.at(-1)
      if (last?.to === cell) last.to = after(cell)
      else ranges.push({ from: cell, to: after(cell) })
    }
    const parts = ranges.map(({ from, to }) => sql`(c.cell >= ${from} and c.cell < ${to})`)
    return sql`(${join(parts, ' or ')})`
  },
}
