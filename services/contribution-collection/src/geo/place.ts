import type { Static } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import type { Place } from '../shapes/contract.ts'
import { boxOf, centreOf, geohashOf } from './geohash.ts'

export type PlaceInput = Static<typeof Place>

/** A place as stored. */
export interface Located {
  readonly place: PlaceInput | null
  readonly country: string | null
  readonly cell: string | null
  readonly cellPrecision: number | null
  readonly latitude: number | null
  readonly longitude: number | null
}

export const maxPrecision = 12

/** A geohash without a point is located at its centre, with its own precision. */
export function locate(input: PlaceInput | undefined): Located {
  const nowhere = { cell: null, cellPrecision: null, latitude: null, longitude: null }
  if (!input) return { place: null, country: null, ...nowhere }
  const country = input.country?.toUpperCase() ?? null
  const geohash = input.geohash?.toLowerCase()
  const place = { ...input, ...(country !== null && { country }), ...(geohash !== undefined && { geohash }) }
  const { latLong = geohash === undefined ? undefined : centreOf(geohash) } = input
  if (!latLong) return { place, country, ...nowhere }
  const { latitude, longitude } = latLong
  if (input.latLong && geohash !== undefined) {
    const { south, west, north, east } = boxOf(geohash)
    if (latitude < south || latitude > north || longitude < west || longitude > east)
      invalid([{ at: 'body/place/geohash', message: 'does not enclose latLong' }])
  }
  const cell = geohashOf(latLong, maxPrecision)
  return {
    place: { ...place, geohash: geohash ?? cell },
    country,
    cell,
    cellPrecision: input.latLong ? maxPrecision : (geohash as string).length,
    latitude,
    longitude,
  }
}
