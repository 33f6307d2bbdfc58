import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { openWith, sealWith } from '../gcm.ts'

/** The id names a key without showing it: eight hexadecimal digits. */
export interface Key {
  readonly id: string
  readonly bytes: Uint8Array
  /** The same for Node's ciphers, which take three times as long to set up with bytes. */
  readonly secret: KeyObject
}

const idBytes = 4

export function keyOf(bytes: Uint8Array): Key {
  const id = createHmac('sha256', bytes).update('icosa key id').digest().toString('hex', 0, idBytes)
  return { id, bytes, secret: createSecretKey(bytes) }
}

/** The key's id, then the secret as it is sealed with it. */
export function seal({ id, secret: key }: Key, secret: string | Uint8Array, context: string): Buffer {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret
  return Buffer.concat([Buffer.from(id, 'hex'), sealWith(key, context, bytes)])
}

/** The id of the key under which it is sealed. */
export const sealedUnder = (sealed: Uint8Array) => Buffer.from(sealed).toString('hex', 0, idBytes)

export const unseal = ({ secret: key }: Key, sealed: Uint8Array, context: string): Buffer =>
  openWith(key, context, sealed.subarray(idBytes))
