import { Failure } from '@icosa/kernel'
import type { Face } from '../engine/analysis.ts'
import { type FaceEngine, invalidImage } from '../engine/engine.ts'
import type { Box } from '../engine/image/picture.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { hasSecondNetwork } from '../shapes/contract.ts'

export interface FaceRequest {
  readonly targetFace?: string | undefined
  readonly detectionModel: string
}

/** Returns the descriptor of the face in the target, or of the only face in a photo. */
export async function singleFace(
  engine: FaceEngine,
  tenant: string,
  image: Uint8Array,
  { targetFace, detectionModel }: FaceRequest,
): Promise<Descriptor> {
  const target = targetFace === undefined ? undefined : boxIn(targetFace)
  const small = hasSecondNetwork(detectionModel)
  const question = { image, small, landmarks: false, attributes: false, descriptors: true, target, most: 2 }
  const { faces } = await engine.analyse(tenant, question)
  const [face, second] = faces
  if (!face) invalidImage(target ? 'There is no face in targetFace.' : 'There is no face in the image.')
  if (second) invalidImage('There are several faces in the image: choose one with targetFace.')
  return descriptorOf(face)
}

export const descriptorOf = ({ descriptor }: Face): Descriptor => descriptor as Descriptor

/** Parses `left,top,width,height`. */
function boxIn(text: string): Box {
  const [left, top, width, height] = text.split(',').map(Number) as [number, number, number, number]
  if (width === 0 || height === 0)
    throw new Failure('invalid', 'targetFace must have a width and a height.', { code: 'BadArgument' })
  return { left, top, width, height }
}
