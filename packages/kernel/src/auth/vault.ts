import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { Failure } from '../errors.ts'

/** Encrypts secrets that must be read back. `context` binds a text to its place: moved to another row it is refused. */
export interface Vault {
  seal(secret: string, context: string): Buffer
  open(sealed: Uint8Array, context: string): string
  /** A key for one purpose, derived from the master key. */
  derive(purpose: string): Buffer
}

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM under a master key. The first key seals; all of them open, so that a key can be replaced while the
 * old one still reads what it wrote.
 */
export function openVault(masterKeys: readonly Uint8Array[]): Vault {
  const [first] = masterKeys
  if (!first) throw new Failure('invalid', 'Set ICOSA_MASTER_KEY to a key of 32 bytes in base64.')
  for (const key of masterKeys) if (key.length !== 32) throw new Failure('invalid', 'A master key has 32 bytes.')
  const byId = new Map(masterKeys.map((key) => [keyId(key).toString('hex'), key]))

  return {
    seal(secret, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([keyId(first), nonce, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      const key = byId.get(bytes.subarray(0, idBytes).toString('hex'))
      if (!key) throw new Error('No master key fits this secret: add the key that was used before to ICOSA_MASTER_KEY.')
      const nonce = bytes.subarray(idBytes, idBytes + nonceBytes)
      const tag = bytes.subarray(idBytes + nonceBytes, idBytes + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
      return (
        decipher.update(bytes.subarray(idBytes + nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    derive: (purpose) => createHmac('sha256', first).update(`icosa ${purpose}`).digest(),
  }
}

const idBytes = 4
const keyId = (key: Uint8Array) => createHmac('sha256', key).update('icosa key id').digest().subarray(0, idBytes)
