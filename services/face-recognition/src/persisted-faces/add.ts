import { randomUUID } from 'node:crypto'
import type { Bytes } from '@icosa/contract'
import type { Context, Preparation } from '@icosa/kernel'
import type { Collection } from '../collections/store.ts'
import { persistedDescriptors, sealDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import { photoOf } from '../photos/photo.ts'
import { type FaceRequest, oneFace } from '../photos/target.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as store from './store.ts'

/** What tells the face in a photo from others: all that is kept of it. */
export async function describedFace(
  { runtime, caller, signal }: Preparation<ServiceRuntime>,
  body: Bytes,
  request: FaceRequest,
): Promise<Descriptor> {
  return oneFace(runtime.engine, caller.tenant, await photoOf(body, runtime.fetch, signal), request)
}

export interface FaceToKeep {
  readonly descriptor: Descriptor
  /** In a list, none. */
  readonly person?: string
  readonly userData?: string | undefined
}

export async function addedFace(
  { db, caller, vault, clock }: Context,
  { uid, recognitionModel }: Collection,
  { descriptor, person, userData }: FaceToKeep,
): Promise<{ persistedFaceId: string }> {
  const id = randomUUID()
  const { tenant } = caller
  const sealed = sealDescriptor(vault, persistedDescriptors, { tenant, id }, descriptor)
  const face = { id, person: person ?? id, recognitionModel, userData: userData ?? null, descriptor: sealed }
  await store.insert(db, tenant, uid, face, clock.now())
  return { persistedFaceId: id }
}
