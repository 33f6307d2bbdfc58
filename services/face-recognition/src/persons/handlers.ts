import { randomUUID } from 'node:crypto'
import { Failure, implement, ok, type Resource, withPreparation } from '@icosa/kernel'
import { tooMany } from '../collections/failures.ts'
import { findCollection, lockCollection } from '../collections/handlers.ts'
import type { Kind } from '../collections/names.ts'
import { addFace, describeFace } from '../persisted-faces/add.ts'
import { faceNotFound } from '../persisted-faces/failures.ts'
import { startOf } from '../persisted-faces/page.ts'
import * as faces from '../persisted-faces/store.ts'
import { toFace } from '../persisted-faces/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { done } from '../shapes/replies.ts'
import { requestUnlearning } from '../training/request.ts'
import { personsContract } from './contract.ts'
import * as store from './store.ts'

/** The limit of the original, per person. */
const maxFaces = 248

export function personNotFound(id: string): never {
  throw new Failure('notFound', `The person '${id}' was not found.`, { code: 'PersonNotFound' })
}

const toPerson = ({ id, name, userData, faces: ids }: store.Person) => ({
  personId: id,
  persistedFaceIds: [...ids],
  name,
  ...(userData !== null && { userData }),
})

export function persons(kind: Kind): Resource<ServiceRuntime> {
  const contract = personsContract(kind)
  return implement<typeof contract, ServiceRuntime>(contract, {
    async create({ params, body }, context) {
      const { db, caller, clock } = context
      const { uid } = await lockCollection(context, kind, params)
      if (kind.maxItems !== undefined && (await store.hasAtLeast(db, caller.tenant, uid, kind.maxItems)))
        tooMany(`persons in this ${kind.noun}`, kind.maxItems)
      const personId = randomUUID()
      await store.insert(db, caller.tenant, uid, { id: personId, ...body }, clock.now())
      return ok({ personId })
    },

    async list({ params, query }, context) {
      const { uid } = await findCollection(context, kind, params)
      const rows = await store.list(context.db, context.caller.tenant, uid, startOf(query.start), query.top)
      return ok(rows.map(toPerson))
    },

    async get({ params }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '' } = params
      const person = await store.find(context.db, context.caller.tenant, uid, personId)
      return ok(toPerson(person ?? personNotFound(personId)))
    },

    async update({ params, body }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '' } = params
      const exists = await store.update(context.db, context.caller.tenant, uid, personId, body)
      return exists ? done() : personNotFound(personId)
    },

    async delete({ params }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '' } = params
      const existed = await store.remove(context.db, context.caller.tenant, uid, personId)
      await requestUnlearning(context, uid)
      return existed ? done() : personNotFound(personId)
    },

    addFace: withPreparation(
      async ({ params, query, body }, context) => {
        const { uid } = await findCollection(context, kind, params)
        const { personId = '' } = params
        const person = (await store.find(context.db, context.caller.tenant, uid, personId)) ?? personNotFound(personId)
        if (person.faces.length >= maxFaces) tooMany('faces of this person', maxFaces)
        return describeFace(context, body, query)
      },
      async ({ params, query }, context, descriptor) => {
        const { personId = '' } = params
        const collection = await lockCollection(context, kind, params)
        if (!(await store.lock(context.db, context.caller.tenant, collection.uid, personId))) personNotFound(personId)
        return ok(await addFace(context, collection, { descriptor, person: personId, userData: query.userData }))
      },
    ),

    async getFace({ params }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '', persistedFaceId = '' } = params
      const face = await faces.find(context.db, context.caller.tenant, uid, persistedFaceId, personId)
      return ok(toFace(face ?? faceNotFound(persistedFaceId)))
    },

    async updateFace({ params, body }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '', persistedFaceId = '' } = params
      const { tenant } = context.caller
      const exists = await faces.update(context.db, tenant, uid, persistedFaceId, body.userData, personId)
      return exists ? done() : faceNotFound(persistedFaceId)
    },

    async deleteFace({ params }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { personId = '', persistedFaceId = '' } = params
      const existed = await faces.remove(context.db, context.caller.tenant, uid, persistedFaceId, personId)
      await requestUnlearning(context, uid)
      return existed ? done() : faceNotFound(persistedFaceId)
    },
  })
}
