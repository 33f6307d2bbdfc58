import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** The id names a key without showing it: eight hexadecimal digits. */
export interface Key {
  readonly id: string
  readonly bytes: Uint8Array
  /** The same for Node's ciphers, which take three times as long to set up with bytes. */
  readonly secret: KeyObject
}

const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = idBytes + nonceBytes + tagBytes

export function keyOf(bytes: Uint8Array): Key {
  const id = createHmac('sha256', bytes).update('icosa key id').digest().toString('hex', 0, idBytes)
  return { id, bytes, secret: createSecretKey(bytes) }
}

/** The key's id, then the secret in AES-256-GCM. It opens only with the same context, which is not part of it. */
export function seal({ id, secret: key }: Key, secret: string | Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const text = Buffer.concat([
    typeof secret === 'string' ? cipher.update(secret, 'utf8') : cipher.update(secret),
    cipher.final(),
  ])
  return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), text])
}

/** The id of the key under which it is sealed. */
export const sealedUnder = (sealed: Uint8Array) => Buffer.from(sealed).toString('hex', 0, idBytes)

export function unseal({ secret: key }: Key, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed)
  const nonce = bytes.subarray(idBytes, idBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(idBytes + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()])
}
