import { type Box, geohashOf, type Point } from './geohash.ts'

const earthRadiusKm = 6371.0087714

/** Great-circle distance. */
export function distanceKm(from: Point, to: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const haversine = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const h =
    haversine(to.latitude - from.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * haversine(to.longitude - from.longitude)
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, h)))
}

/** Bounding boxes of a circle: two if it crosses the antimeridian. */
function boxesAround({ latitude, longitude }: Point, radiusKm: number): Box[] {
  const angle = (radiusKm * 1.000001 + 0.001) / earthRadiusKm
  const degrees = (angle * 180) / Math.PI
  const south = Math.max(-90, latitude - degrees)
  const north = Math.min(90, latitude + degrees)
  // A circle around a pole covers all longitudes.
  if (latitude + degrees >= 90 || latitude - degrees <= -90) return [{ south, north, west: -180, east: 180 }]
  const width = (Math.asin(Math.sin(angle) / Math.cos((latitude * Math.PI) / 180)) * 180) / Math.PI
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180)
    return [
      { south, north, west: -180, east },
      { south, north, west: west + 360, east: 180 },
    ]
  if (east > 180)
    return [
      { south, north, west, east: 180 },
      { south, north, west: -180, east: east - 360 },
    ]
  return [{ south, north, west, east }]
}

/** Cell size in degrees by geohash length. */
const sizeOf = (length: number) => ({
  width: 360 / 2 ** Math.ceil((5 * length) / 2),
  height: 180 / 2 ** Math.floor((5 * length) / 2),
})

const maxCells = 40

function cellsOf({ south, west, north, east }: Box, length: number): string[] {
  const { width, height } = sizeOf(length)
  const rows = (latitude: number) => Math.min(Math.floor((latitude + 90) / height), 180 / height - 1)
  const columns = (longitude: number) => Math.min(Math.floor((longitude + 180) / width), 360 / width - 1)
  const cells: string[] = []
  for (let row = rows(south); row <= rows(north); row++)
    for (let column = columns(west); column <= columns(east); column++)
      cells.push(geohashOf({ latitude: -90 + (row + 0.5) * height, longitude: -180 + (column + 0.5) * width }, length))
  return cells
}

function countOf({ south, west, north, east }: Box, length: number): number {
  const { width, height } = sizeOf(length)
  return (Math.floor((north - south) / height) + 2) * (Math.floor((east - west) / width) + 2)
}

/** Covers a circle with the smallest cells of which at most `maxCells` are needed. */
export function coverOf(centre: Point, radiusKm: number): string[] {
  const boxes = boxesAround(centre, radiusKm)
  const fits = (length: number) => boxes.reduce((sum, box) => sum + countOf(box, length), 0) <= maxCells
  let length = 1
  while (length < 9 && fits(length + 1)) length++
  return [...new Set(boxes.flatMap((box) => cellsOf(box, length)))].sort()
}
