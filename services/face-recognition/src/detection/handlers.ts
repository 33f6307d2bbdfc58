import { randomUUID } from 'node:crypto'
import { before, implement, ok } from '@icosa/kernel'
import { detectedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import type { Held } from '../held.ts'
import { photoOf } from '../photos/photo.ts'
import { attributesOf, requestedAttributes } from './attributes.ts'
import { detection as contract } from './contract.ts'
import * as store from './store.ts'

/** As many as the original answers. */
const mostFaces = 100

export const detection = implement<typeof contract, Held>(contract, {
  // The photo is looked at before the transaction; nothing of it is left then but numbers.
  detect: before(
    async ({ query, body }, { held, caller, signal }) => {
      const attributes = requestedAttributes(query.returnFaceAttributes)
      const { faces } = await held.engine.analyse(caller.tenant, {
        image: await photoOf(body, held.fetch, signal),
        small: query.detectionModel === 'detection_02',
        descriptors: query.returnFaceId,
        landmarks: query.returnFaceLandmarks,
        attributes: attributes.length > 0,
        most: mostFaces,
      })
      return { faces, attributes }
    },
    async ({ query }, { db, caller, clock, vault }, { faces, attributes }) => {
      const { tenant } = caller
      const { recognitionModel } = query
      const expiresAt = new Date(clock.now().getTime() + query.faceIdTimeToLive * 1000)
      const seal = (id: string, descriptor: Descriptor) =>
        sealDescriptor(vault, detectedDescriptors, { tenant, id }, descriptor)
      const known = faces.map((face) => ({ face, id: face.descriptor ? randomUUID() : undefined }))
      await store.insert(
        db,
        tenant,
        known.flatMap(({ face: { descriptor }, id }) =>
          id && descriptor ? [{ id, recognitionModel, descriptor: seal(id, descriptor), expiresAt }] : [],
        ),
      )
      return ok(
        known.map(({ face, id }) => ({
          ...(id !== undefined && { faceId: id }),
          ...(query.returnRecognitionModel && { recognitionModel }),
          faceRectangle: face.box,
          ...(face.landmarks && { faceLandmarks: face.landmarks }),
          ...(attributes.length > 0 && { faceAttributes: attributesOf(face, attributes) }),
        })),
      )
    },
  ),
})
