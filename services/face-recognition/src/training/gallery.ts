import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Vault } from '@icosa/kernel'
import { openWith, sealBytes, sealWith } from '@icosa/tokens/gcm'
import type { Descriptor } from '../engine/look/describe.ts'
import type { Signatures } from '../matching/signatures.ts'
import { serviceName } from '../names.ts'

export interface GalleryFace {
  readonly id: string
  readonly person: string
  readonly descriptor: Descriptor
}

export const dimensions = 128
const idBytes = 16
export const recordBytes = 2 * idBytes + 4 * dimensions
const lengthBytes = 4

/** Encryption key for galleries, which are blobs and not sealed by the vault. */
export const galleryKeyOf = (vault: Vault): KeyObject =>
  createSecretKey(vault.derive(`${serviceName} galleries`).subarray(0, 32))

const bytesOfId = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

export function idAt(bytes: Uint8Array, index: number): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + index * idBytes, idBytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Encodes faces as records: face id, person id, descriptor. */
export function encoded(faces: readonly GalleryFace[]): Buffer {
  const bytes = Buffer.alloc(faces.length * recordBytes)
  for (const [index, { id, person, descriptor }] of faces.entries()) {
    const at = index * recordBytes
    bytes.set(bytesOfId(id), at)
    bytes.set(bytesOfId(person), at + idBytes)
    bytes.set(Buffer.from(descriptor.buffer, descriptor.byteOffset, descriptor.byteLength), at + 2 * idBytes)
  }
  return bytes
}

/** Seals each piece with its index as associated data: none can be moved, omitted or replaced. */
export async function* sealed(key: KeyObject, name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let index = 0
  for await (const piece of pieces) {
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32LE(piece.length)
    yield Buffer.concat([length, sealWith(key, `${name} ${index++}`, piece)])
  }
}

export async function* opened(key: KeyObject, name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let index = 0
  // Joined only when a piece is complete, to avoid copying a megabyte for each chunk.
  let parts: Uint8Array[] = []
  let length = 0
  let required = lengthBytes
  for await (const chunk of bytes) {
    parts.push(chunk)
    length += chunk.length
    if (length < required) continue
    let rest = Buffer.concat(parts)
    for (;;) {
      required = rest.length < lengthBytes ? lengthBytes : lengthBytes + sealBytes + rest.readUInt32LE(0)
      if (rest.length < required) break
      yield openWith(key, `${name} ${index++}`, rest.subarray(lengthBytes, required))
      rest = rest.subarray(required)
    }
    parts = [rest]
    length = rest.length
  }
  if (length > 0) throw new Error(`${name} ends within a piece`)
}

/** A trained group or list, in memory that threads share. Faces are ordered by person. */
export interface Gallery {
  readonly name: string
  readonly faces: number
  /** 16 bytes each. */
  readonly ids: Uint8Array
  readonly persons: Uint8Array
  /** 128 numbers each. */
  readonly descriptors: SharedArrayBuffer
  /** Index of each person's first face, followed by the number of faces. */
  readonly starts: SharedArrayBuffer
  /** Index of a large gallery, so that few faces need an exact comparison. */
  readonly signatures?: Signatures
}

export async function galleryOf(name: string, faces: number, pieces: AsyncIterable<Buffer>): Promise<Gallery> {
  const ids = new Uint8Array(faces * idBytes)
  const persons = new Uint8Array(faces * idBytes)
  const descriptors = new SharedArrayBuffer(faces * dimensions * 4)
  const all = new Uint8Array(descriptors)
  const starts: number[] = []
  let index = 0
  let last: Buffer = Buffer.alloc(0)
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += recordBytes, index++) {
      if (index === faces) throw new Error(`${name} has more than ${faces} faces`)
      const person = piece.subarray(at + idBytes, at + 2 * idBytes)
      ids.set(piece.subarray(at, at + idBytes), index * idBytes)
      persons.set(person, index * idBytes)
      all.set(piece.subarray(at + 2 * idBytes, at + recordBytes), index * dimensions * 4)
      if (!person.equals(last)) starts.push(index)
      last = person
    }
  if (index !== faces) throw new Error(`${name} has ${index} faces instead of ${faces}`)
  const shared = new SharedArrayBuffer((starts.length + 1) * 4)
  const offsets = new Int32Array(shared)
  offsets.set(starts)
  offsets[starts.length] = faces
  return { name, faces, ids, persons, descriptors, starts: shared }
}
