import { named, oneOf, type Static, Type } from '@icosa/contract'
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

const IdentifyRequest = named('IdentifyRequest', {
  faceIds: Type.Array(Uuid, { minItems: 1, maxItems: 10 }),
  personGroupId: Type.Optional(ChosenId),
  largePersonGroupId: Type.Optional(ChosenId),
  maxNumOfCandidatesReturned: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  confidenceThreshold: Type.Optional(Confidence),
})
export interface IdentifyRequest extends Static<typeof IdentifyRequest> {}

const FindSimilarRequest = named('FindSimilarRequest', {
  faceId: Uuid,
  faceListId: Type.Optional(ChosenId),
  largeFaceListId: Type.Optional(ChosenId),
  faceIds: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000 })),
  maxNumOfCandidatesReturned: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  mode: Type.Optional(oneOf('matchPerson', 'matchFace')),
})
export interface FindSimilarRequest extends Static<typeof FindSimilarRequest> {}

export const comparison = {
  verify: api.post('/verify', {
    summary: 'Verify whether two faces, or a face and a person, belong to the same person.',
    body: VerifyRequest,
    reads: true,
    replies: { 200: named('VerifyResult', { isIdentical: Type.Boolean(), confidence: Confidence }) },
  }),
  identify: api.post('/identify', {
    summary: 'Identify faces: find the most similar persons of a trained group for each of them.',
    body: IdentifyRequest,
    reads: true,
    replies: {
      200: Type.Array(
        named('IdentifyResult', {
          faceId: Uuid,
          candidates: Type.Array(named('IdentifyCandidate', { personId: Uuid, confidence: Confidence })),
        }),
      ),
    },
  }),
  findSimilar: api.post('/findsimilars', {
    summary: 'Find the faces most similar to a face, among detected faces or in a face list.',
    body: FindSimilarRequest,
    reads: true,
    replies: {
      200: Type.Array(
        named('SimilarFace', {
          faceId: Type.Optional(Uuid),
          persistedFaceId: Type.Optional(Uuid),
          confidence: Confidence,
        }),
      ),
    },
  }),
  group: api.post('/group', {
    summary: 'Group faces that are likely to belong to the same person.',
    body: named('GroupRequest', { faceIds: Type.Array(Uuid, { minItems: 2, maxItems: 1_000 }) }),
    reads: true,
    replies: {
      200: named('GroupResult', {
        groups: Type.Array(Type.Array(Uuid)),
        messyGroup: Type.Optional(Type.Array(Uuid)),
      }),
    },
  }),
}
