import { randomUUID } from 'node:crypto'
import { implement, ok, withPreparation } from '@icosa/kernel'
import { detectedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { photoOf } from '../photos/photo.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { FaceSettings } from '../settings.ts'
import { hasSecondNetwork } from '../shapes/contract.ts'
import { attributesOf, requestedAttributes } from './attributes.ts'
import { detection as contract } from './contract.ts'
import * as store from './store.ts'

/** The limit of the original. */
const maxFaces = 100

export const detection = ({ canOmitAttributes }: Pick<FaceSettings, 'canOmitAttributes'>) =>
  implement<typeof contract, ServiceRuntime>(contract, {
    // The photo is analysed before the transaction and not stored.
    detect: withPreparation(
      async ({ query, body }, { runtime, caller, signal }) => {
        const { returnFaceAttributes, recognitionModel } = query
        const { measured, omitted } = requestedAttributes(returnFaceAttributes, recognitionModel, canOmitAttributes)
        const { faces } = await runtime.engine.analyse(caller.tenant, {
          image: await photoOf(body, runtime.fetch, signal),
          small: hasSecondNetwork(query.detectionModel),
          descriptors: query.returnFaceId,
          landmarks: query.returnFaceLandmarks,
          attributes: measured.length > 0,
          most: maxFaces,
        })
        return { faces, measured, omitted }
      },
      async ({ query }, { db, caller, clock, tenantVault }, { faces, measured, omitted }) => {
        const { tenant } = caller
        const { recognitionModel } = query
        const expiresAt = new Date(clock.now().getTime() + query.faceIdTimeToLive * 1000)
        const vault = await tenantVault()
        const seal = (id: string, descriptor: Descriptor) =>
          sealDescriptor(vault, detectedDescriptors, { tenant, id }, descriptor)
        const identified = faces.map((face) => ({ face, id: face.descriptor ? randomUUID() : undefined }))
        await store.insert(
          db,
          tenant,
          identified.flatMap(({ face: { descriptor }, id }) =>
            id && descriptor ? [{ id, recognitionModel, descriptor: seal(id, descriptor), expiresAt }] : [],
          ),
        )
        return ok(
          identified.map(({ face, id }) => ({
            ...(id !== undefined && { faceId: id }),
            ...(query.returnRecognitionModel && { recognitionModel }),
            faceRectangle: face.box,
            ...(face.landmarks && { faceLandmarks: face.landmarks }),
            ...(measured.length > 0 && { faceAttributes: attributesOf(face, measured) }),
          })),
          omitted.length > 0 ? { headers: { 'omitted-attributes': omitted.join(',') } } : {},
        )
      },
    ),
  })
