import { hash } from 'node:crypto'

/** Signs a text with one secret. */
export type Sign = (text: string) => Buffer

const blockBytes = 64
const digestBytes = 32

/**
 * HMAC-SHA256 (RFC 2104) with one secret. `createHmac` sets up an object for every text, which takes longer than all of
 * this.
 */
export function hmacSha256(secret: Uint8Array): Sign {
  const short = secret.length > blockBytes ? Buffer.from(hash('sha256', secret, 'binary'), 'latin1') : secret
  const pad = (byte: number) => Buffer.alloc(blockBytes, byte).map((filling, index) => filling ^ (short[index] ?? 0))
  const [inner, outer] = [pad(0x36), pad(0x5c)]
  const last = Buffer.alloc(blockBytes + digestBytes)
  last.set(outer)

  return (text) => {
    const first = Buffer.allocUnsafe(blockBytes + text.length * 3) // a UTF-16 code unit has at most three bytes in UTF-8
    first.set(inner)
    const end = blockBytes + first.write(text, blockBytes)
    last.write(hash('sha256', first.subarray(0, end), 'binary'), blockBytes, 'latin1')
    return Buffer.from(hash('sha256', last, 'binary'), 'latin1')
  }
}
