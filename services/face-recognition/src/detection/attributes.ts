import { Failure } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { absent } from '../absent.ts'
import type { Face } from '../engine/analysis.ts'
import type { DetectedFace } from './contract.ts'

type Attributes = NonNullable<DetectedFace['faceAttributes']>

const levelOf = <V extends string>(value: number, [low, medium, high]: readonly [V, V, V], from: number, to: number) =>
  value < from ? low : value < to ? medium : high

/** What is measured in a photo, by the names of the API. */
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
} as const

type Measured = keyof typeof measured

/** What is refused by name, and why. */
const refused: Readonly<Record<string, () => never>> = {
  age: () => notBuilt(absent.age),
  gender: () => notBuilt(absent.gender),
  smile: () => notBuilt(absent.smile),
  facialHair: () => notBuilt(absent.facialHair),
  glasses: () => notBuilt(absent.glasses),
  emotion: () => notBuilt(absent.emotion),
  hair: () => notBuilt(absent.hair),
  makeup: () => notBuilt(absent.makeup),
  occlusion: () => notBuilt(absent.occlusion),
  accessories: () => notBuilt(absent.accessories),
}

/** The attributes that a caller asks for: `headPose,blur`. */
export function requestedAttributes(text = ''): readonly Measured[] {
  const names = text.split(',').map((name) => name.trim())
  return names
    .filter((name) => name !== '')
    .map((name) => {
      if (Object.hasOwn(measured, name)) return name as Measured
      if (Object.hasOwn(refused, name)) refused[name]?.()
      throw new Failure('invalid', `There is no attribute '${name}': ask for ${Object.keys(measured).join(', ')}.`, {
        code: 'BadArgument',
      })
    })
}

export const attributesOf = (face: Face, names: readonly Measured[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, measured[name](face)]))
