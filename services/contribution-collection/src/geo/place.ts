import type { Static } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import type { Place } from '../shapes/contract.ts'
import { boxOf, centreOf, geohashOf } from './geohash.ts'

export type SentPlace = Static<typeof Place>

/** Where something is, as it is kept. */
export interface Located {
  readonly place: SentPlace | null
  readonly country: string | null
  readonly cell: string | null
  readonly cellPrecision: number | null
  readonly latitude: number | null
  readonly longitude: number | null
}

export const finest = 12

/** A point has a geohash of its own; a geohash without a point stands for its centre, as exactly as it says. */
export function locate(sent: SentPlace | undefined): Located {
  const nowhere = { cell: null, cellPrecision: null, latitude: null, longitude: null }
  if (!sent) return { place: null, country: null, ...nowhere }
  const country = sent.country?.toUpperCase() ?? null
  const geohash = sent.geohash?.toLowerCase()
  const place = { ...sent, ...(country !== null && { country }), ...(geohash !== undefined && { geohash }) }
  const { latLong = geohash === undefined ? undefined : centreOf(geohash) } = sent
  if (!latLong) return { place, country, ...nowhere }
  const { latitude, longitude } = latLong
  if (sent.latLong && geohash !== undefined) {
    const { south, west, north, east } = boxOf(geohash)
    if (latitude < south || latitude > north || longitude < west || longitude > east)
      invalid([{ at: 'body/place/geohash', message: 'does not enclose latLong' }])
  }
  const cell = geohashOf(latLong, finest)
  return {
    place: { ...place, geohash: geohash ?? cell },
    country,
    cell,
    cellPrecision: sent.latLong ? finest : (geohash as string).length,
    latitude,
    longitude,
  }
}
