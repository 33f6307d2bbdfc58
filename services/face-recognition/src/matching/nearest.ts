import { dimensions } from '../training/gallery.ts'

/** The person nearest to a face that is looked for: which one, by which of the faces, and how far. */
export interface Near {
  /** In the order of the gallery. */
  readonly face: number
  readonly distance: number
}

export interface Search {
  readonly descriptors: SharedArrayBuffer
  readonly starts: SharedArrayBuffer
  readonly probe: Float32Array
  /** At most so many persons. */
  readonly most: number
  /** No farther than this. */
  readonly within: number
}

/** The nearest face of each of the nearest persons, by looking at all of them. */
export function nearest({ descriptors, starts, probe, most, within }: Search): Near[] {
  const all = new Float32Array(descriptors)
  const places = new Int32Array(starts)
  const found: Near[] = []
  let limit = within * within
  for (let person = 0; person < places.length - 1; person++) {
    let best = Number.POSITIVE_INFINITY
    let face = -1
    for (let index = places[person] as number; index < (places[person + 1] as number); index++) {
      const apart = squaredDistance(all, index * dimensions, probe)
      if (apart < best) {
        best = apart
        face = index
      }
    }
    if (best > limit) continue
    const at = found.findIndex(({ distance }) => distance > best)
    found.splice(at === -1 ? found.length : at, 0, { face, distance: best })
    if (found.length > most) found.pop()
    if (found.length === most) limit = Math.min(limit, (found.at(-1) as Near).distance)
  }
  return found.map(({ face, distance }) => ({ face, distance: Math.sqrt(distance) }))
}

function squaredDistance(all: Float32Array, start: number, probe: Float32Array): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) {
    const apart = (all[start + i] as number) - (probe[i] as number)
    sum += apart * apart
  }
  return sum
}
