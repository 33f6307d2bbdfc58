import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** Ciphertext overhead in bytes. */
export const sealBytes = nonceBytes + tagBytes

/** AES-256-GCM: nonce, tag, ciphertext of the concatenated parts. `context` is associated data. */
export function sealWith(key: KeyObject, context: string, ...parts: readonly Uint8Array[]): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const text = [...parts.map((part) => cipher.update(part)), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...text])
}

export function openWith(key: KeyObject, context: string, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(nonceBytes, sealBytes))
  return Buffer.concat([decipher.update(sealed.subarray(sealBytes)), decipher.final()])
}
