import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverOf, distanceKm } from './cover.ts'
import { boxOf, centreOf, geohashOf } from './geohash.ts'
import { locate } from './place.ts'

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('geohashes match known values', () => {
  expect(geohashOf({ latitude: 57.64911, longitude: 10.40744 }, 11)).toBe('u4pruydqqvj')
  expect(geohashOf({ latitude: 51.5074, longitude: -0.1278 }, 6)).toBe('gcpvj0')
  expect(geohashOf({ latitude: -90, longitude: -180 }, 3)).toBe('000')
  expect(geohashOf({ latitude: 90, longitude: 180 }, 3)).toBe('zzz')
})

test('a point is inside the box of its geohash, and the centre of a box has the same geohash', () => {
  fc.assert(
    fc.property(point, fc.integer({ min: 1, max: 12 }), (location, length) => {
      const hash = geohashOf(location, length)
      const { south, west, north, east } = boxOf(hash)
      expect(
        location.latitude >= south &&
          location.latitude <= north &&
          location.longitude >= west &&
          location.longitude <= east,
      ).toBe(true)
      expect(geohashOf(centreOf(hash), length)).toBe(hash)
    }),
    { numRuns: 2_000 },
  )
})

test('a circle is covered by few cells, also at the poles and the antimeridian', () => {
  const radius = fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ min: 0, max: 20_040, noNaN: true }))
  // A point inside the circle, by bearing and fraction of the radius.
  const inside = fc.record({
    bearing: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(point, radius, inside, (centre, radiusKm, { bearing, fraction }) => {
      const cover = coverOf(centre, radiusKm)
      expect(cover.length).toBeLessThanOrEqual(60)
      const other = destination(centre, bearing, radiusKm * fraction)
      if (distanceKm(centre, other) > radiusKm) return
      const cell = geohashOf(other, 12)
      expect(
        cover.some((prefix) => cell.startsWith(prefix)),
        JSON.stringify({ centre, radiusKm, other }),
      ).toBe(true)
    }),
    { numRuns: 5_000 },
  )
})

/** Destination by bearing and distance. */
function destination({ latitude, longitude }: { latitude: number; longitude: number }, bearing: number, km: number) {
  const [phi, lambda, angle] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180, km / 6371.0087714]
  const phi2 = Math.asin(
    Math.max(-1, Math.min(1, Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing))),
  )
  const lambda2 =
    lambda +
    Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(phi), Math.cos(angle) - Math.sin(phi) * Math.sin(phi2))
  const degrees = (lambda2 * 180) / Math.PI
  return { latitude: (phi2 * 180) / Math.PI, longitude: ((((degrees + 180) % 360) + 360) % 360) - 180 }
}

test('a place has its point, or the precision of its geohash', () => {
  expect(locate({ geohash: 'GCPVJ' })).toMatchObject({ cellPrecision: 5, place: { geohash: 'gcpvj' } })
  expect(locate({ latLong: { latitude: 51.5, longitude: -0.12 } })).toMatchObject({ cellPrecision: 12 })
  expect(locate({ country: 'gb' })).toMatchObject({ country: 'GB', cell: null, place: { country: 'GB' } })
  expect(locate(undefined)).toMatchObject({ place: null, cell: null })
  expect(() => locate({ geohash: 'u33', latLong: { latitude: 51.5, longitude: -0.12 } })).toThrow('geohash')
})
