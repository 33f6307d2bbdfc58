import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { openWith, sealWith } from '../gcm.ts'

/** The ID identifies a key without revealing it: eight hexadecimal digits. */
export interface Key {
  readonly id: string
  readonly bytes: Uint8Array
  /** For Node's ciphers, whose setup takes three times as long with bytes. */
  readonly secret: KeyObject
}

const idBytes = 4

export function keyOf(bytes: Uint8Array): Key {
  const id = createHmac('sha256', bytes).update('icosa key id').digest().toString('hex', 0, idBytes)
  return { id, bytes, secret: createSecretKey(bytes) }
}

/** The key's ID, then the ciphertext. */
export function seal({ id, secret: key }: Key, secret: string | Uint8Array, context: string): Buffer {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret
  return Buffer.concat([Buffer.from(id, 'hex'), sealWith(key, context, bytes)])
}

/** ID of the key that sealed it. */
export const sealedUnder = (sealed: Uint8Array) => Buffer.from(sealed).toString('hex', 0, idBytes)

export const unseal = ({ secret: key }: Key, sealed: Uint8Array, context: string): Buffer =>
  openWith(key, context, sealed.subarray(idBytes))
