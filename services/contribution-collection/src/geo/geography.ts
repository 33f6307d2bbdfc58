import type { Sql } from '@icosa/kernel'
import type { Point } from './geohash.ts'

export interface Circle extends Point {
  readonly radiusKm: number
}

/** Adapter for proximity search. The exact distance is checked afterwards. */
export interface Geography {
  readonly name: 'cells' | 'postgis'
  /** Indexed condition on `contributions as c` that matches all in a circle, and few others. */
  around(circle: Circle): Sql
}
