import { Failure } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import type { Face } from '../engine/analysis.ts'
import type { RecognitionModel } from '../shapes/contract.ts'
import { unsupported } from '../unsupported.ts'
import type { DetectedFace } from './contract.ts'

type Attributes = NonNullable<DetectedFace['faceAttributes']>

const levelOf = <V extends string>(value: number, [low, medium, high]: readonly [V, V, V], from: number, to: number) =>
  value < from ? low : value < to ? medium : high

/** Measurements by attribute name. */
const measured = {
  headPose: ({ headPose }: Face) => headPose,
  blur: ({ quality }: Face) =>
    quality && { blurLevel: levelOf(quality.blur, ['Low', 'Medium', 'High'], 0.25, 0.75), value: quality.blur },
  exposure: ({ quality }: Face) =>
    quality && {
      exposureLevel: levelOf(quality.exposure, ['UnderExposure', 'GoodExposure', 'OverExposure'], 0.25, 0.75),
      value: quality.exposure,
    },
  noise: ({ quality }: Face) =>
    quality && { noiseLevel: levelOf(quality.noise, ['Low', 'Medium', 'High'], 0.3, 0.7), value: quality.noise },
  qualityForRecognition: recognitionQuality,
} as const

/** Whether a face is good enough to be added to a person, only to be compared, or neither. The rules are in the README. */
function recognitionQuality({ box, headPose, quality }: Face) {
  if (!headPose || !quality) return undefined
  const angle = Math.max(Math.abs(headPose.yaw), Math.abs(headPose.pitch))
  const side = Math.min(box.width, box.height)
  const exposureError = Math.abs(quality.exposure - 0.5)
  if (side < 60 || quality.blur >= 0.75 || exposureError > 0.35 || angle > 45) return 'Low'
  return side >= 200 && quality.blur < 0.25 && exposureError <= 0.25 && angle <= 20 ? 'High' : 'Medium'
}

type Measured = keyof typeof measured

/** Attributes that are not supported. */
const refused: Readonly<Record<string, () => never>> = {
  age: () => notSupported(unsupported.age),
  gender: () => notSupported(unsupported.gender),
  smile: () => notSupported(unsupported.smile),
  facialHair: () => notSupported(unsupported.facialHair),
  glasses: () => notSupported(unsupported.glasses),
  emotion: () => notSupported(unsupported.emotion),
  hair: () => notSupported(unsupported.hair),
  makeup: () => notSupported(unsupported.makeup),
  occlusion: () => notSupported(unsupported.occlusion),
  accessories: () => notSupported(unsupported.accessories),
  mask: () => notSupported(unsupported.mask),
}

export interface Requested {
  readonly measured: readonly Measured[]
  /** Unsupported ones, missing from the response. */
  readonly omitted: readonly string[]
}

/** Parses a list such as `headPose,blur`. Unsupported attributes are refused unless they may be omitted. */
export function requestedAttributes(text = '', model: RecognitionModel, canOmit: boolean): Requested {
  const names = text.split(',').map((name) => name.trim())
  const attributes = names.filter((name) => name !== '').map((name) => knownAttribute(name, model))
  const omitted = attributes.filter((name) => !isMeasured(name))
  if (!canOmit) for (const name of omitted) refused[name]?.()
  return { measured: attributes.filter(isMeasured), omitted }
}

const isMeasured = (name: string): name is Measured => Object.hasOwn(measured, name)

function knownAttribute(name: string, model: RecognitionModel): string {
  if (!isMeasured(name) && !Object.hasOwn(refused, name))
    badArgument(`There is no attribute '${name}': request one of ${Object.keys(measured).join(', ')}.`)
  if (name === 'qualityForRecognition' && (model === 'recognition_01' || model === 'recognition_02'))
    badArgument(`qualityForRecognition needs recognition_03 or recognition_04 as the recognitionModel, not ${model}.`)
  return name
}

function badArgument(message: string): never {
  throw new Failure('invalid', message, { code: 'BadArgument' })
}

export const attributesOf = (face: Face, names: readonly Measured[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, measured[name](face)]))
