import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly objects: {
    readonly land: { readonly geometries: readonly { readonly arcs: readonly (readonly (readonly number[])[])[] }[] }
  }
}

type Point = readonly [number, number]

let known: string | undefined

/**
 * The coasts of the world as one path, in degrees: x to the east from the date line, y to the south from the pole. From
 * Natural Earth, which is in the public domain, at 1:110,000,000.
 */
export function landPath(): string {
  known ??= pathOf(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('world-atlas/land-110m.json')), 'utf8')))
  return known
}

function pathOf({ transform: { scale, translate }, arcs, objects }: Topology): string {
  // Each point is told by how far it is from the one before.
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0] + 180, 90 - (y * scale[1] + translate[1])]
    })
  })
  // A negative number is an arc from its end to its beginning.
  const lineOf = (index: number) => (index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []))
  const rings = objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.flat())
  return rings.map((ring) => ringPath(ring.flatMap((index) => lineOf(index)))).join('')
}

/** A coast that crosses the date line goes on beyond the edge of the map, and is drawn again at the other edge. */
function ringPath(points: readonly Point[]): string {
  let turns = 0
  const unwound = points.map(([x, y], index): Point => {
    const before = points[index - 1]?.[0] ?? x
    if (x - before > 180) turns--
    if (before - x > 180) turns++
    return [x + 360 * turns, y]
  })
  const [first, last] = [unwound[0], unwound.at(-1)]
  // One that goes around the world, Antarctica, is closed at its pole.
  const isAround = first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > 180
  const closed: readonly Point[] = isAround ? [...unwound, [last[0], 180], [first[0], 180]] : unwound
  const xs = closed.map(([x]) => x)
  const shifts = [0, 360, -360].filter((shift) => Math.max(...xs) + shift > 0 && Math.min(...xs) + shift < 360)
  return shifts.map((shift) => `M${closed.map(([x, y]) => written([x + shift, y])).join('L')}Z`).join('')
}

const written = ([x, y]: Point) => `${x.toFixed(2)} ${y.toFixed(2)}`
