import { crop, mirrored } from '../image/crop.ts'
import type { Picture, Point } from '../image/picture.ts'
import { fitSimilarity } from '../image/similarity.ts'
import type { Mesh } from './mesh.ts'
import { openNetwork } from './session.ts'

/** Face embedding of 128 numbers. */
export type Descriptor = Float32Array

export const chipSide = 150

/**
 * Points of the mesh that align a face, and their coordinates in dlib's mean face (Boost Software License): nose, eyes and
 * upper lip, which speech moves least.
 */
const alignment: readonly (readonly [mesh: number, x: number, y: number])[] = [
  [168, 0.490127, 0.203352],
  [6, 0.490127, 0.307009],
  [195, 0.490127, 0.409805],
  [4, 0.490127, 0.515625],
  [98, 0.36688, 0.587326],
  [97, 0.426036, 0.609345],
  [2, 0.490127, 0.628106],
  [326, 0.554217, 0.609345],
  [327, 0.613373, 0.587326],
  [33, 0.121737, 0.216423],
  [160, 0.187122, 0.178758],
  [158, 0.265825, 0.179852],
  [133, 0.334606, 0.231733],
  [153, 0.260918, 0.245099],
  [144, 0.182743, 0.244077],
  [362, 0.645647, 0.231733],
  [385, 0.714428, 0.179852],
  [387, 0.793132, 0.178758],
  [263, 0.858516, 0.216423],
  [373, 0.79751, 0.244077],
  [380, 0.719335, 0.245099],
  [61, 0.254149, 0.780233],
  [40, 0.340985, 0.745405],
  [37, 0.428858, 0.727388],
  [0, 0.490127, 0.742578],
  [267, 0.551395, 0.727388],
  [270, 0.639268, 0.745405],
  [291, 0.726104, 0.780233],
  [78, 0.290379, 0.784792],
  [82, 0.428096, 0.778746],
  [13, 0.490127, 0.785343],
  [312, 0.552157, 0.778746],
  [308, 0.689874, 0.784792],
]
/** Margin around the mean face, relative to its size. */
const margin = 0.25
const inChip = (share: number) => ((margin + share) / (2 * margin + 1)) * chipSide
const chipPoints = alignment.map(([, x, y]): Point => [inChip(x), inChip(y)])

/** Crops the face, aligned as in the network's training data. */
export function chipOf(picture: Picture, { points }: Mesh): Uint8Array {
  const map = fitSimilarity(
    chipPoints,
    alignment.map(([index]) => points[index] as Point),
  )
  return crop(picture, chipSide, map)
}

/** Averages a face and its mirror image: one more inference, and a third fewer false matches at a strict threshold. */
export async function openDescriber(folder: string): Promise<(chip: Uint8Array) => Promise<Descriptor>> {
  const network = await openNetwork(folder, 'describe.onnx')
  const embed = async (chip: Uint8Array) => (await network(chip, chipSide)).descriptor as Float32Array
  return async (chip) => {
    const plain = await embed(chip)
    const mirror = await embed(mirrored(chip, chipSide))
    return plain.map((value, index) => (value + (mirror[index] as number)) / 2)
  }
}
