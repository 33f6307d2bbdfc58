import type { Gaps } from '@icosa/module'

const weights = 'Weights for it are only available from data sets of doubtful origin, so none are shipped.'
const refused = <const Name extends string>(name: Name) =>
  ({ name: `\`${name}\` in \`returnFaceAttributes\``, answer: 501, instead: weights }) as const
const unmeasured = <const Name extends string>(name: Name) =>
  ({
    name: `\`${name}\` in \`returnFaceAttributes\``,
    answer: 501,
    instead: 'The networks used here do not measure it reliably.',
  }) as const

export const unsupported = {
  age: refused('age'),
  gender: refused('gender'),
  smile: unmeasured('smile'),
  facialHair: refused('facialHair'),
  glasses: refused('glasses'),
  emotion: refused('emotion'),
  hair: refused('hair'),
  makeup: refused('makeup'),
  occlusion: unmeasured('occlusion'),
  accessories: refused('accessories'),
  mask: unmeasured('mask'),
  models: {
    name: '`recognition_01` to `recognition_04` as four networks',
    answer: 'differs',
    instead: 'All are the same network here. Faces of one are still never compared with faces of another.',
  },
  detectionModels: {
    name: '`detection_02` and `detection_03` without some landmarks and attributes',
    answer: 'differs',
    instead: 'They add a second network, and return all landmarks and attributes.',
  },
} as const satisfies Gaps
