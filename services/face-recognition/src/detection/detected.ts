import { Failure, type ReadingContext } from '@icosa/kernel'
import { detectedDescriptors, openDescriptor } from '../descriptors/sealing.ts'
import type { Descriptor } from '../engine/look/describe.ts'
import type { RecognitionModel } from '../shapes/contract.ts'
import * as store from './store.ts'

export interface DetectedDescriptor {
  readonly id: string
  readonly descriptor: Descriptor
}

export interface Detected {
  readonly model: RecognitionModel
  /** In the order of the ids. */
  readonly faces: readonly DetectedDescriptor[]
}

type Reading = Pick<ReadingContext, 'db' | 'caller' | 'clock' | 'tenantVault'>

/** Finds faces by id. All must have the same recognition model, as descriptors of different ones are not comparable. */
export async function detectedFaces(
  { db, caller, clock, tenantVault }: Reading,
  ids: readonly string[],
): Promise<Detected> {
  const rows = await store.find(db, caller.tenant, ids, clock.now())
  const byId = new Map(rows.map((row) => [row.id, row]))
  const vault = await tenantVault()
  const faces = ids.map((id) => {
    const row = byId.get(id) ?? faceNotFound(id)
    return { id, descriptor: openDescriptor(vault, detectedDescriptors, { tenant: caller.tenant, id }, row.descriptor) }
  })
  const [model, ...others] = new Set(rows.map(({ recognitionModel }) => recognitionModel))
  if (others.length > 0) differentModels()
  return { model: model as RecognitionModel, faces }
}

export function differentModels(): never {
  throw new Failure(
    'invalid',
    'Faces of different recognition models cannot be compared: detect them with the same one.',
    {
      code: 'BadArgument',
    },
  )
}

export function faceNotFound(id: string): never {
  throw new Failure('notFound', `The face '${id}' was not found: it was never detected, or has expired.`, {
    code: 'FaceNotFound',
  })
}
