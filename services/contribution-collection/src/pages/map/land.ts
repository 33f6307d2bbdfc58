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

let path: string | undefined

/**
 * The coasts of the world as one path, in degrees: x to the east from the date line, y to the south from the pole. From
 * Natural Earth, which is in the public domain, at 1:110,000,000.
 */
export function landPath(): string {
  path ??= pathOf(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('world-atlas/land-110m.json')), 'utf8')))
  return path
}

function pathOf({ transform: { scale, translate }, arcs, objects }: Topology): string {
  // Points are delta-encoded.
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0] + 180, 90 - (y * scale[1] + translate[1])]
    })
  })
  // A negative index is a reversed arc.
  const lineOf = (index: number) => (index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []))
  const rings = objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.flat())
  return rings.map((ring) => ringPath(ring.flatMap((index) => lineOf(index)))).join('')
}

/** A coast that crosses the date line continues beyond the edge of the map, and is repeated at the other edge. */
function ringPath(points: readonly Point[]): string {
  let turns = 0
  const unwound = points.map(([x, y], index): Point => {
    const previous = points[index - 1]?.[0] ?? x
    if (x - previous > 180) turns--
    if (previous - x > 180) turns++
    return [x + 360 * turns, y]
  })
  const [first, last] = [unwound[0], unwound.at(-1)]
  // A ring around the world (Antarctica) is closed at its pole.
  const isAround = first !== undefined && last !== undefined && Math.abs(last[0] - first[0]) > 180
  const closed: readonly Point[] = isAround ? [...unwound, [last[0], 180], [first[0], 180]] : unwound
  const xs = closed.map(([x]) => x)
  const shifts = [0, 360, -360].filter((shift) => Math.max(...xs) + shift > 0 && Math.min(...xs) + shift < 360)
  return shifts.map((shift) => `M${closed.map(([x, y]) => pointText([x + shift, y])).join('L')}Z`).join('')
}

const pointText = ([x, y]: Point) => `${x.toFixed(2)} ${y.toFixed(2)}`
