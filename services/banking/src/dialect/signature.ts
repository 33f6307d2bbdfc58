import { createPublicKey, type KeyObject, type Sign, sign, verify } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Failure, Media } from '@icosa/kernel'

const noBody = new Uint8Array()

/** RSA with SHA-256 over the bytes of a body, in base64. */
export const signatureOf = (body: string | Uint8Array, privateKey: KeyObject): string =>
  sign('sha256', typeof body === 'string' ? Buffer.from(body) : body, privateKey).toString('base64')

/** A stream that has already been hashed, so it can be signed before it is sent. */
export class SignableMedia extends Media {
  readonly #signing: Sign

  constructor(mediaType: string, content: Readable, signing: Sign) {
    super(mediaType, content)
    this.#signing = signing
  }

  signature(privateKey: KeyObject): string {
    return this.#signing.sign(privateKey, 'base64')
  }
}

export function isSignedBy(publicKey: KeyObject, body: Uint8Array = noBody, signature: string): boolean {
  return verify('sha256', body, publicKey, Buffer.from(signature, 'base64'))
}

/** Accepts RSA keys of 2048 to 4096 bits: smaller ones are insecure, larger ones too slow. */
export function readPublicKey(pem: string): KeyObject {
  try {
    const key = createPublicKey({ key: pem, format: 'pem' })
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096) return key
  } catch {
    // reported below
  }
  throw new Failure('invalid', 'client_public_key must be an RSA key of 2048 to 4096 bits in PEM.')
}
