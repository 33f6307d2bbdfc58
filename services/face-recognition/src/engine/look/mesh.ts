import { crop } from '../image/crop.ts'
import { middleOf, type Picture, type Point } from '../image/picture.ts'
import { placed, squareAt } from '../image/similarity.ts'
import type { Found } from './find.ts'
import { openNetwork } from './session.ts'

/** 468 points of a face. */
export interface Mesh {
  /** In pixels of the picture. */
  readonly points: readonly Point[]
  /** How far behind the middle of the head each point is, in the same unit. */
  readonly depths: readonly number[]
}

const side = 192
/** The network was taught on squares with some room around the face. */
const room = 1.5

export async function openMesher(folder: string): Promise<(picture: Picture, face: Found) => Promise<Mesh>> {
  const network = await openNetwork(folder, 'mesh.onnx')
  return async (picture, { box, keys }) => {
    const [left, right] = keys as [Point, Point]
    const angle = Math.atan2(right[1] - left[1], right[0] - left[0])
    const map = squareAt(middleOf(box), room * Math.max(box.width, box.height), angle, side)
    const { points } = (await network(crop(picture, side, map), side)) as { points: Float32Array }
    const scale = Math.hypot(map.cos, map.sin)
    const at = (index: number) => points.subarray(3 * index, 3 * index + 3) as unknown as [number, number, number]
    const all = Array.from({ length: points.length / 3 }, (_, index) => at(index))
    return {
      points: all.map(([x, y]) => placed(map, [x - 0.5, y - 0.5])),
      depths: all.map(([, , z]) => z * scale),
    }
  }
}
