import type { Sql } from '@icosa/kernel'
import type { Point } from './geohash.ts'

export interface Circle extends Point {
  readonly radiusKm: number
}

/** How what is near a point is found quickly: by what the server has. The exact distance is compared afterwards. */
export interface Geography {
  readonly name: 'cells' | 'postgis'
  /** Holds for all contributions within a circle, and for few others; an index serves it. Of `contributions as c`. */
  around(circle: Circle): Sql
}
