import { invalid } from '@icosa/kernel'
import { digestBytes, type ToSign } from '../token/mechanisms.ts'
import { derOf, rawOf } from './encoding.ts'
import type { EncryptionAlgorithm, SignatureAlgorithm, WrappingAlgorithm } from './names.ts'
import type { Row } from './store.ts'

const wrong = (at: string, message: string): never => invalid([{ at: `body/${at}`, message }])

const curveOf = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' } as const
/** How long each of the two numbers of a signature is. */
const halfOf = { ES256: 32, ES384: 48, ES512: 66 } as const

const isByCurve = (algorithm: SignatureAlgorithm): algorithm is keyof typeof curveOf => algorithm in curveOf

interface SignInput {
  readonly algorithm: SignatureAlgorithm
  readonly digest?: string | undefined
  readonly value?: string | undefined
}

/** What is to be signed, if the key can do that. */
export function toSign({ algorithm, digest, value }: SignInput, { type, curve, name }: Row): ToSign {
  const fits = isByCurve(algorithm) ? curve === curveOf[algorithm] : type === (algorithm === 'EdDSA' ? 'OKP' : 'RSA')
  if (!fits) wrong('algorithm', `is not for '${name}', which is ${curve ?? type}`)
  if ((digest === undefined) === (value === undefined)) wrong('digest', 'or value is needed, and not both')
  const data = Buffer.from(digest ?? value ?? '', 'base64')
  if (digest === undefined) return { algorithm, data, isDigest: false }
  const length = digestBytes(algorithm)
  if (length === undefined) wrong('digest', `cannot be signed with ${algorithm}: give the value`)
  if (data.length !== length) wrong('digest', `has ${data.length} bytes and not the ${length} of ${algorithm}`)
  return { algorithm, data, isDigest: true }
}

type Encoding = 'der' | 'raw' | undefined

/** As the caller wants it: by curves, in DER if nothing is said. */
export function encoded(signature: Uint8Array, algorithm: SignatureAlgorithm, encoding: Encoding): string {
  const isDer = isByCurve(algorithm) && encoding !== 'raw'
  return Buffer.from(isDer ? derOf(signature) : signature).toString('base64')
}

/** The other way round; undefined if it cannot be a signature. */
export function decoded(text: string, algorithm: SignatureAlgorithm, encoding: Encoding): Uint8Array | undefined {
  const signature = Buffer.from(text, 'base64')
  return isByCurve(algorithm) && encoding !== 'raw' ? rawOf(signature, halfOf[algorithm]) : signature
}

export function demandWrapping(algorithm: WrappingAlgorithm, { type, name }: Row): void {
  if ((algorithm === 'RSA-OAEP') !== (type === 'RSA')) wrong('algorithm', `is not for '${name}', which is ${type}`)
}

export function demandEncryption(algorithm: EncryptionAlgorithm, { type, name }: Row, aad: string | undefined): void {
  if (type !== (algorithm === 'RSA-OAEP' ? 'RSA' : 'AES')) wrong('algorithm', `is not for '${name}', which is ${type}`)
  if (algorithm === 'RSA-OAEP' && aad !== undefined) wrong('aad', 'is not for RSA-OAEP: leave it out')
}
