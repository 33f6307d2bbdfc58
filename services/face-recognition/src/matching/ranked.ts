import { distance } from '../descriptors/confidence.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { dimensions, type Gallery, idAt } from '../training/gallery.ts'
import type { Near } from './nearest.ts'

/** The nearest face of each person among some faces of a gallery, by their true distances. */
export function ranked(
  { descriptors, persons }: Gallery,
  places: Float64Array,
  probe: Descriptor,
  { most, within }: { readonly most: number; readonly within: number },
): Near[] {
  const all = new Float32Array(descriptors)
  const found = Array.from(places, (face) => ({
    face,
    distance: distance(probe, all.subarray(face * dimensions, (face + 1) * dimensions)),
  }))
  const seen = new Set<string>()
  return found
    .filter((near) => near.distance <= within)
    .sort((p, q) => p.distance - q.distance)
    .filter(({ face }) => {
      const person = idAt(persons, face)
      const isNew = !seen.has(person)
      seen.add(person)
      return isNew
    })
    .slice(0, most)
}
