import type { Absences } from '@icosa/module'

const weights = 'Weights for it are to be had only from data sets of doubtful origin, so none are shipped.'
const refused = <const Name extends string>(name: Name) =>
  ({ name: `\`${name}\` in \`returnFaceAttributes\``, answer: 501, instead: weights }) as const
const unmeasured = <const Name extends string>(name: Name) =>
  ({
    name: `\`${name}\` in \`returnFaceAttributes\``,
    answer: 501,
    instead: 'The networks used here do not tell it well enough to be relied on.',
  }) as const

export const absent = {
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
  models: {
    name: '`recognition_01` and `recognition_02` as two networks',
    answer: 'differs',
    instead: 'Both are the same network here. Faces of one are still never compared with faces of the other.',
  },
  detectionModels: {
    name: '`detection_02` without landmarks and attributes',
    answer: 'differs',
    instead: 'It looks for small faces with a second network, and answers landmarks and attributes, too.',
  },
} as const satisfies Absences
