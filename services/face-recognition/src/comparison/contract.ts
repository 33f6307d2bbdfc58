import { named, type Static, Type } from '@icosa/contract'
import { api, ChosenId, Confidence, Uuid } from '../shapes/contract.ts'

const VerifyRequest = named('VerifyRequest', {
  faceId1: Type.Optional(Uuid),
  faceId2: Type.Optional(Uuid),
  faceId: Type.Optional(Uuid),
  personGroupId: Type.Optional(ChosenId),
  largePersonGroupId: Type.Optional(ChosenId),
  personId: Type.Optional(Uuid),
})
export interface VerifyRequest extends Static<typeof VerifyRequest> {}

export const comparison = {
  verify: api.post('/verify', {
    summary: 'Say whether two faces, or a face and a person, are the same person.',
    body: VerifyRequest,
    reads: true,
    replies: { 200: named('VerifyResult', { isIdentical: Type.Boolean(), confidence: Confidence }) },
  }),
}
