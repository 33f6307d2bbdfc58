import { randomUUID } from 'node:crypto'
import type { Bytes } from '@icosa/contract'
import type { Context, Preparation } from '@icosa/kernel'
import type { Collection } from '../collections/store.ts'
import { persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { photoOf } from '../photos/photo.ts'
import { type FaceRequest, singleFace } from '../photos/target.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as store from './store.ts'

/** Computes the descriptor of the face in a photo; nothing else of it is stored. */
export async function describeFace(
  { runtime, caller, signal }: Preparation<ServiceRuntime>,
  body: Bytes,
  request: FaceRequest,
): Promise<Descriptor> {
  return singleFace(runtime.engine, caller.tenant, await photoOf(body, runtime.fetch, signal), request)
}

export interface FaceDetails {
  readonly descriptor: Descriptor
  /** Absent in a list. */
  readonly person?: string
  readonly userData?: string | undefined
}

export async function addFace(
  { db, caller, tenantVault, clock }: Context,
  { uid, recognitionModel }: Collection,
  { descriptor, person, userData }: FaceDetails,
): Promise<{ persistedFaceId: string }> {
  const id = randomUUID()
  const { tenant } = caller
  const sealed = sealDescriptor(await tenantVault(), persistedDescriptors, { tenant, id }, descriptor)
  const face = { id, person: person ?? id, recognitionModel, userData: userData ?? null, descriptor: sealed }
  await store.insert(db, tenant, uid, face, clock.now())
  return { persistedFaceId: id }
}
