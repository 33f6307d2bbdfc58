import type { Point } from '../image/picture.ts'
import type { Mesh } from '../look/mesh.ts'
import { type LandmarkName, landmarkPlaces } from './names.ts'

export type Landmarks = Readonly<Record<LandmarkName, { readonly x: number; readonly y: number }>>

/** Landmarks in pixels of the photo, not of the scaled picture. */
export function landmarksOf({ points }: Mesh, scale: number): Landmarks {
  const meanOf = (indices: readonly number[], axis: 0 | 1) => {
    const sum = indices.reduce((all, index) => all + (points[index] as Point)[axis], 0)
    return Math.round((10 * scale * sum) / indices.length) / 10
  }
  return Object.fromEntries(
    Object.entries(landmarkPlaces).map(([name, indices]) => [name, { x: meanOf(indices, 0), y: meanOf(indices, 1) }]),
  ) as Landmarks
}
