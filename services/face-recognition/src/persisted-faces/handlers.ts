import { type Handlers, implement, ok, type Resource, withPreparation } from '@icosa/kernel'
import { tooMany } from '../collections/failures.ts'
import { found, locked } from '../collections/handlers.ts'
import type { Kind } from '../collections/names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { done } from '../shapes/replies.ts'
import { requestUnlearning } from '../training/request.ts'
import { addedFace, describedFace } from './add.ts'
import { facesContract, largeFacesContract } from './contract.ts'
import { faceNotFound } from './failures.ts'
import { startOf } from './page.ts'
import * as store from './store.ts'
import { toFace } from './view.ts'

const basics = (kind: Kind): Handlers<ReturnType<typeof facesContract>, ServiceRuntime> => ({
  addFace: withPreparation(
    async ({ params, query, body }, context) => {
      await found(context, kind, params)
      return describedFace(context, body, query)
    },
    async ({ params, query }, context, descriptor) => {
      const collection = await locked(context, kind, params)
      const { db, caller } = context
      if (kind.most !== undefined && (await store.areSoMany(db, caller.tenant, collection.uid, kind.most)))
        tooMany(`faces in this ${kind.noun}`, kind.most)
      return ok(await addedFace(context, collection, { descriptor, userData: query.userData }))
    },
  ),

  async deleteFace({ params }, context) {
    const { uid } = await found(context, kind, params)
    const { persistedFaceId = '' } = params
    const wasThere = await store.remove(context.db, context.caller.tenant, uid, persistedFaceId)
    await requestUnlearning(context, uid)
    return wasThere ? done() : faceNotFound(persistedFaceId)
  },
})

/** The faces of a list. */
export const faces = (kind: Kind): Resource<ServiceRuntime> => {
  const contract = facesContract(kind)
  return implement<typeof contract, ServiceRuntime>(contract, basics(kind))
}

/** The faces of a large list. */
export function largeFaces(kind: Kind): Resource<ServiceRuntime> {
  const contract = largeFacesContract(kind)
  return implement<typeof contract, ServiceRuntime>(contract, {
    ...basics(kind),

    async listFaces({ params, query }, context) {
      const { uid } = await found(context, kind, params)
      const rows = await store.list(context.db, context.caller.tenant, uid, startOf(query.start), query.top)
      return ok(rows.map(toFace))
    },

    async getFace({ params }, context) {
      const { uid } = await found(context, kind, params)
      const { persistedFaceId = '' } = params
      const face = await store.find(context.db, context.caller.tenant, uid, persistedFaceId)
      return ok(toFace(face ?? faceNotFound(persistedFaceId)))
    },

    async updateFace({ params, body }, context) {
      const { uid } = await found(context, kind, params)
      const { persistedFaceId = '' } = params
      const { tenant } = context.caller
      const isThere = await store.update(context.db, tenant, uid, persistedFaceId, body.userData)
      return isThere ? done() : faceNotFound(persistedFaceId)
    },
  })
}
