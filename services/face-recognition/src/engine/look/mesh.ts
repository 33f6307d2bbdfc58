import { crop } from '../image/crop.ts'
import { centreOf, type Picture, type Point } from '../image/picture.ts'
import { squareAt, transform } from '../image/similarity.ts'
import type { Detection } from './find.ts'
import { openNetwork } from './session.ts'

/** 468 points of a face. */
export interface Mesh {
  /** In pixels of the picture. */
  readonly points: readonly Point[]
  /** Distance of each point behind the centre of the head, in the same unit. */
  readonly depths: readonly number[]
}

const side = 192
/** Size of the crop relative to the face, as in the network's training data. */
const margin = 1.5

export async function openMesher(folder: string): Promise<(picture: Picture, face: Detection) => Promise<Mesh>> {
  const network = await openNetwork(folder, 'mesh.onnx')
  return async (picture, { box, keys }) => {
    const [left, right] = keys as [Point, Point]
    const angle = Math.atan2(right[1] - left[1], right[0] - left[0])
    const map = squareAt(centreOf(box), margin * Math.max(box.width, box.height), angle, side)
    const { points } = (await network(crop(picture, side, map), side)) as { points: Float32Array }
    const scale = Math.hypot(map.cos, map.sin)
    const at = (index: number) => points.subarray(3 * index, 3 * index + 3) as unknown as [number, number, number]
    const all = Array.from({ length: points.length / 3 }, (_, index) => at(index))
    return {
      points: all.map(([x, y]) => transform(map, [x - 0.5, y - 0.5])),
      depths: all.map(([, , z]) => z * scale),
    }
  }
}
