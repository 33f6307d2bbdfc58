import type { ReadingDb, Vault } from '@icosa/kernel'
import type { Collection } from '../collections/store.ts'
import { openDescriptor, persistedDescriptors } from '../descriptors/sealing.ts'
import * as copies from './copy-store.ts'

/** First piece of a snapshot. */
export interface Header {
  readonly name: string
  readonly userData: string | null
  readonly recognitionModel: Collection['recognitionModel']
  /** Null if it was never trained; then a copy is not trained either. */
  readonly trainedAt: string | null
}

export type Piece =
  | { readonly header: Header }
  | { readonly persons: readonly copies.PersonCopy[] }
  | { readonly faces: readonly OpenFaceCopy[] }

/** Its descriptor is in base64, to be sealed again for the target tenant. */
export interface OpenFaceCopy extends Omit<copies.FaceCopy, 'descriptor'> {
  readonly descriptor: string
}

const pageSize = 1_000

/** Yields the content of a group or list in pieces. */
export async function* piecesOf(db: ReadingDb, vault: Vault, tenant: string, row: Collection): AsyncGenerator<Buffer> {
  const { uid, name, userData, recognitionModel, gallery, trainedAt } = row
  const isTrained = gallery !== null && trainedAt !== null
  yield encoded({ header: { name, userData, recognitionModel, trainedAt: isTrained ? trainedAt.toISOString() : null } })
  for (let after: string | undefined; ; ) {
    const persons = await copies.persons(db, tenant, uid, after, pageSize)
    if (persons.length > 0) yield encoded({ persons })
    if (persons.length < pageSize) break
    after = persons.at(-1)?.id
  }
  for (let after: string | undefined; ; ) {
    const faces = await copies.faces(db, tenant, uid, after, pageSize)
    if (faces.length > 0) yield encoded({ faces: faces.map((face) => open(vault, tenant, face)) })
    if (faces.length < pageSize) break
    after = faces.at(-1)?.id
  }
}

const encoded = (piece: Piece) => Buffer.from(JSON.stringify(piece))

export const decoded = (piece: Uint8Array): Piece => JSON.parse(Buffer.from(piece).toString())

function open(vault: Vault, tenant: string, { descriptor, ...face }: copies.FaceCopy): OpenFaceCopy {
  const { buffer } = openDescriptor(vault, persistedDescriptors, { tenant, id: face.id }, descriptor)
  return { ...face, descriptor: Buffer.from(buffer).toString('base64') }
}
