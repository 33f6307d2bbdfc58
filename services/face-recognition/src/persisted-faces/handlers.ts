import { type Handlers, implement, ok, type Resource, withPreparation } from '@icosa/kernel'
import { tooMany } from '../collections/failures.ts'
import { findCollection, lockCollection } from '../collections/handlers.ts'
import type { Kind } from '../collections/names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { done } from '../shapes/replies.ts'
import { requestUnlearning } from '../training/request.ts'
import { addFace, describeFace } from './add.ts'
import { facesContract, largeFacesContract } from './contract.ts'
import { faceNotFound } from './failures.ts'
import { startOf } from './page.ts'
import * as store from './store.ts'
import { toFace } from './view.ts'

const basics = (kind: Kind): Handlers<ReturnType<typeof facesContract>, ServiceRuntime> => ({
  addFace: withPreparation(
    async ({ params, query, body }, context) => {
      await findCollection(context, kind, params)
      return describeFace(context, body, query)
    },
    async ({ params, query }, context, descriptor) => {
      const collection = await lockCollection(context, kind, params)
      const { db, caller } = context
      if (kind.maxItems !== undefined && (await store.hasAtLeast(db, caller.tenant, collection.uid, kind.maxItems)))
        tooMany(`faces in this ${kind.noun}`, kind.maxItems)
      return ok(await addFace(context, collection, { descriptor, userData: query.userData }))
    },
  ),

  async deleteFace({ params }, context) {
    const { uid } = await findCollection(context, kind, params)
    const { persistedFaceId = '' } = params
    const existed = await store.remove(context.db, context.caller.tenant, uid, persistedFaceId)
    await requestUnlearning(context, uid)
    return existed ? done() : faceNotFound(persistedFaceId)
  },
})

export const faces = (kind: Kind): Resource<ServiceRuntime> => {
  const contract = facesContract(kind)
  return implement<typeof contract, ServiceRuntime>(contract, basics(kind))
}

export function largeFaces(kind: Kind): Resource<ServiceRuntime> {
  const contract = largeFacesContract(kind)
  return implement<typeof contract, ServiceRuntime>(contract, {
    ...basics(kind),

    async listFaces({ params, query }, context) {
      const { uid } = await findCollection(context, kind, params)
      const rows = await store.list(context.db, context.caller.tenant, uid, startOf(query.start), query.top)
      return ok(rows.map(toFace))
    },

    async getFace({ params }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { persistedFaceId = '' } = params
      const face = await store.find(context.db, context.caller.tenant, uid, persistedFaceId)
      return ok(toFace(face ?? faceNotFound(persistedFaceId)))
    },

    async updateFace({ params, body }, context) {
      const { uid } = await findCollection(context, kind, params)
      const { persistedFaceId = '' } = params
      const { tenant } = context.caller
      const exists = await store.update(context.db, tenant, uid, persistedFaceId, body.userData)
      return exists ? done() : faceNotFound(persistedFaceId)
    },
  })
}
