import { invalid } from '@icosa/kernel'
import { digestBytes, type ToSign } from '../token/mechanisms.ts'
import { derOf, rawOf } from './encoding.ts'
import type { EncryptionAlgorithm, SignatureAlgorithm, WrappingAlgorithm } from './names.ts'
import type { Row } from './store.ts'

const reject = (at: string, message: string): never => invalid([{ at: `body/${at}`, message }])

const curveOf = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' } as const
/** Bytes of each of the two integers of a signature. */
const halfOf = { ES256: 32, ES384: 48, ES512: 66 } as const

const isByCurve = (algorithm: SignatureAlgorithm): algorithm is keyof typeof curveOf => algorithm in curveOf

interface SignInput {
  readonly algorithm: SignatureAlgorithm
  readonly digest?: string | undefined
  readonly value?: string | undefined
}

/** Returns the data or digest to sign, after checking it against the key. */
export function toSign({ algorithm, digest, value }: SignInput, { type, curve, name }: Row): ToSign {
  const fits = isByCurve(algorithm) ? curve === curveOf[algorithm] : type === (algorithm === 'EdDSA' ? 'OKP' : 'RSA')
  if (!fits) reject('algorithm', `does not fit '${name}', which is ${curve ?? type}`)
  if ((digest === undefined) === (value === undefined)) reject('digest', 'or value is required, but not both')
  const data = Buffer.from(digest ?? value ?? '', 'base64')
  if (digest === undefined) return { algorithm, data, isDigest: false }
  const length = digestBytes(algorithm)
  if (length === undefined) reject('digest', `cannot be signed with ${algorithm}: send the value`)
  if (data.length !== length) reject('digest', `has ${data.length} bytes instead of the ${length} of ${algorithm}`)
  return { algorithm, data, isDigest: true }
}

type Encoding = 'der' | 'raw' | undefined

/** Encodes a signature for the caller; of EC keys in DER by default. */
export function encoded(signature: Uint8Array, algorithm: SignatureAlgorithm, encoding: Encoding): string {
  const isDer = isByCurve(algorithm) && encoding !== 'raw'
  return Buffer.from(isDer ? derOf(signature) : signature).toString('base64')
}

/** Decodes a caller's signature; undefined if it is malformed. */
export function decoded(text: string, algorithm: SignatureAlgorithm, encoding: Encoding): Uint8Array | undefined {
  const signature = Buffer.from(text, 'base64')
  return isByCurve(algorithm) && encoding !== 'raw' ? rawOf(signature, halfOf[algorithm]) : signature
}

export function demandWrapping(algorithm: WrappingAlgorithm, { type, name }: Row): void {
  if ((algorithm === 'RSA-OAEP') !== (type === 'RSA')) reject('algorithm', `does not fit '${name}', which is ${type}`)
}

export function demandEncryption(algorithm: EncryptionAlgorithm, { type, name }: Row, aad: string | undefined): void {
  if (type !== (algorithm === 'RSA-OAEP' ? 'RSA' : 'AES'))
    reject('algorithm', `does not fit '${name}', which is ${type}`)
  if (algorithm === 'RSA-OAEP' && aad !== undefined) reject('aad', 'does not apply to RSA-OAEP: omit it')
}
