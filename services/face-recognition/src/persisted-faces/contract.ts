import { Type } from '@icosa/contract'
import { PersistedFace } from '../collections/contract.ts'
import type { Kind } from '../collections/names.ts'
import { AddedFace, UpdateFace } from '../persons/contract.ts'
import { FaceToAdd, Photo } from '../photos/contract.ts'
import { api, Page } from '../shapes/contract.ts'

/** Operations on the faces of a list. */
export function facesContract({ noun, path, param }: Kind) {
  const at = `/${path}/{${param}}/persistedfaces` as const
  return {
    addFace: api.post(at, {
      summary: `Add a face to a ${noun}. The photo is not kept.`,
      query: FaceToAdd,
      body: Photo,
      replies: { 200: AddedFace },
    }),
    deleteFace: api.delete(`${at}/{persistedFaceId}`, {
      summary: `Delete a face from a ${noun}.`,
      replies: { 200: null },
    }),
  }
}

/** Operations on the faces of a large list, which does not show them itself. */
export function largeFacesContract(kind: Kind) {
  const at = `/${kind.path}/{${kind.param}}/persistedfaces` as const
  return {
    ...facesContract(kind),
    listFaces: api.get(at, {
      summary: `List the faces of a ${kind.noun} by id.`,
      query: Type.Object(Page),
      replies: { 200: Type.Array(PersistedFace) },
    }),
    getFace: api.get(`${at}/{persistedFaceId}`, {
      summary: `Read a face of a ${kind.noun}.`,
      replies: { 200: PersistedFace },
    }),
    updateFace: api.patch(`${at}/{persistedFaceId}`, {
      summary: 'Change the user data of a face.',
      body: UpdateFace,
      replies: { 200: null },
    }),
  }
}
