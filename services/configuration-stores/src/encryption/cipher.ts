import { createSecretKey, type KeyObject } from 'node:crypto'
import { openWith, sealBytes, sealWith } from '@icosa/tokens/gcm'

/** What is encrypted of a key-value. Its key, label and tags are searched for, and stay as they are. */
export interface Secret {
  readonly value: string | null
  readonly contentType: string | null
}

/** The state of a key-value to which what is encrypted belongs; moved elsewhere, it does not open. */
export interface Bound {
  readonly key: string
  readonly label: string
  readonly etag: string
}

/** The data key of a store. */
export interface Cipher {
  readonly dataKey: string
  seal(secret: Secret, bound: Bound): Buffer
  open(content: Uint8Array, bound: Bound): Secret
}

/** Which of the two are there, and how long the value is. */
const headBytes = 5
const flags = { value: 1, contentType: 2 }

/** By how much what is encrypted is longer than the two of it. */
export const sealedBytes = sealBytes + headBytes

export function cipherOf(store: string, dataKey: string, bytes: Uint8Array): Cipher {
  const secretKey: KeyObject = createSecretKey(bytes)
  const boundTo = ({ key, label, etag }: Bound) => JSON.stringify([store, key, label, etag])
  return {
    dataKey,
    seal({ value, contentType }, bound) {
      const text = Buffer.from(value ?? '')
      const head = Buffer.alloc(headBytes)
      head[0] = (value === null ? 0 : flags.value) | (contentType === null ? 0 : flags.contentType)
      head.writeUInt32BE(text.length, 1)
      return sealWith(secretKey, boundTo(bound), head, text, Buffer.from(contentType ?? ''))
    },
    open(content, bound) {
      const plain = openWith(secretKey, boundTo(bound), content)
      const [has = 0] = plain
      const end = headBytes + plain.readUInt32BE(1)
      return {
        value: has & flags.value ? plain.toString('utf8', headBytes, end) : null,
        contentType: has & flags.contentType ? plain.toString('utf8', end) : null,
      }
    },
  }
}
