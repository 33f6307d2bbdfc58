import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import type { Descriptor } from '../engine/look/describe.ts'
import { serviceName } from '../names.ts'

interface Row {
  readonly tenant: string
  readonly id: string
}

/** Descriptors are biometric data: the database and blobs only contain them encrypted. */
const sealedIn = (table: string): SealedColumn => ({
  table: `face_recognition.${table}`,
  column: 'descriptor',
  context: `${serviceName} ${table} {tenant} {id}`,
})

export const detectedDescriptors = sealedIn('detected_faces')
export const persistedDescriptors = sealedIn('persisted_faces')

export const sealDescriptor = (vault: Vault, column: SealedColumn, row: Row, descriptor: Descriptor): Buffer =>
  vault.seal(
    Buffer.from(descriptor.buffer, descriptor.byteOffset, descriptor.byteLength).toString('base64'),
    sealingContext(column, { ...row }),
  )

export function openDescriptor(vault: Vault, column: SealedColumn, row: Row, sealed: Uint8Array): Descriptor {
  const bytes = Buffer.from(vault.open(sealed, sealingContext(column, { ...row })), 'base64')
  return new Float32Array(new Uint8Array(bytes).buffer) // a copy: short buffers share an ArrayBuffer
}
