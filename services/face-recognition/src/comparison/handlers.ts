import { Failure, implement, ok } from '@icosa/kernel'
import { confidenceOf, distance, isSame } from '../descriptors/confidence.ts'
import { detectedFaces } from '../detection/detected.ts'
import type { Held } from '../held.ts'
import { comparison as contract } from './contract.ts'

export const comparison = implement<typeof contract, Held>(contract, {
  async verify({ body }, context) {
    const { faceId1, faceId2 } = body
    if (faceId1 === undefined || faceId2 === undefined)
      throw new Failure('invalid', 'Send faceId1 and faceId2.', { code: 'BadArgument' })
    const { faces } = await detectedFaces(context, [faceId1, faceId2])
    const [one, other] = faces as [(typeof faces)[0], (typeof faces)[0]]
    const confidence = confidenceOf(distance(one.descriptor, other.descriptor))
    return ok({ isIdentical: confidence >= isSame, confidence })
  },
})
