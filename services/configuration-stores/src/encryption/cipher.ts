import { createSecretKey, type KeyObject } from 'node:crypto'
import { openWith, sealBytes, sealWith } from '@icosa/tokens/gcm'

/** The encrypted part of a key-value. Key, label and tags stay searchable, in plaintext. */
export interface Secret {
  readonly value: string | null
  readonly contentType: string | null
}

/** Associated data of a ciphertext: the state of a key-value to which it belongs. */
export interface Bound {
  readonly key: string
  readonly label: string
  readonly etag: string
}

/** Encrypts with a store's data key. */
export interface Cipher {
  readonly dataKey: string
  seal(secret: Secret, bound: Bound): Buffer
  open(content: Uint8Array, bound: Bound): Secret
}

/** Header: flags for null, and the length of the value. */
const headBytes = 5
const flags = { value: 1, contentType: 2 }

/** Ciphertext overhead in bytes. */
export const sealedBytes = sealBytes + headBytes

export function cipherOf(store: string, dataKey: string, bytes: Uint8Array): Cipher {
  const secretKey: KeyObject = createSecretKey(bytes)
  const contextOf = ({ key, label, etag }: Bound) => JSON.stringify([store, key, label, etag])
  return {
    dataKey,
    seal({ value, contentType }, bound) {
      const text = Buffer.from(value ?? '')
      const head = Buffer.alloc(headBytes)
      head[0] = (value === null ? 0 : flags.value) | (contentType === null ? 0 : flags.contentType)
      head.writeUInt32BE(text.length, 1)
      return sealWith(secretKey, contextOf(bound), head, text, Buffer.from(contentType ?? ''))
    },
    open(content, bound) {
      const plain = openWith(secretKey, contextOf(bound), content)
      const [present = 0] = plain
      const end = headBytes + plain.readUInt32BE(1)
      return {
        value: present & flags.value ? plain.toString('utf8', headBytes, end) : null,
        contentType: present & flags.contentType ? plain.toString('utf8', end) : null,
      }
    },
  }
}
