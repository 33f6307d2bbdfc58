import { named, Type } from '@icosa/contract'
import { PersistedFace } from '../collections/contract.ts'
import type { Kind } from '../collections/names.ts'
import { FaceToAdd, Photo } from '../photos/contract.ts'
import { api, FaceUserData, Name, NameAndUserData, Page, UserData, Uuid } from '../shapes/contract.ts'

const Person = named('Person', {
  personId: Uuid,
  persistedFaceIds: Type.Array(Uuid),
  name: Name,
  userData: Type.Optional(UserData),
})

export const UpdateFace = named('UpdateFace', { userData: Type.Optional(FaceUserData) })
export const AddedFace = named('AddedFace', { persistedFaceId: Uuid })

/** Operations on the persons of a group and their faces. */
export function personsContract({ noun, path, param }: Kind) {
  const at = `/${path}/{${param}}/persons` as const
  const person = `${at}/{personId}` as const
  const face = `${person}/persistedfaces/{persistedFaceId}` as const
  return {
    create: api.post(at, {
      summary: `Add a person to a ${noun}.`,
      body: named('NewPerson', { name: Name, userData: Type.Optional(UserData) }),
      replies: { 200: named('AddedPerson', { personId: Uuid }) },
    }),
    list: api.get(at, {
      summary: `List the persons of a ${noun} by id.`,
      query: Type.Object(Page),
      replies: { 200: Type.Array(Person) },
    }),
    get: api.get(person, { summary: 'Read a person.', replies: { 200: Person } }),
    update: api.patch(person, {
      summary: 'Change the name or the user data of a person.',
      body: NameAndUserData,
      replies: { 200: null },
    }),
    delete: api.delete(person, { summary: 'Delete a person and their faces.', replies: { 200: null } }),
    addFace: api.post(`${person}/persistedfaces`, {
      summary: 'Add a face to a person. The photo is not kept.',
      query: FaceToAdd,
      body: Photo,
      replies: { 200: AddedFace },
    }),
    getFace: api.get(face, { summary: 'Read a face of a person.', replies: { 200: PersistedFace } }),
    updateFace: api.patch(face, {
      summary: 'Change the user data of a face.',
      body: UpdateFace,
      replies: { 200: null },
    }),
    deleteFace: api.delete(face, { summary: 'Delete a face of a person.', replies: { 200: null } }),
  }
}
