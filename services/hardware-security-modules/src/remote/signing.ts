import { CKG, CKM } from '@icosa/pkcs11'
import type { Row } from '../keys/store.ts'
import { hashes, type ToSign } from '../token/mechanisms.ts'
import { Reader } from './wire.ts'

/** A signature in progress, of data or of a digest. */
export interface Signing {
  readonly key: Row
  toSign(data: Buffer): ToSign | undefined
  /** Length of the signature. */
  readonly bytes: number
}

const sizes = ['256', '384', '512'] as const
type Size = (typeof sizes)[number]
const halves = { 'P-256': 32, 'P-384': 48, 'P-521': 66, Ed25519: 32 } as const
const curveOf = { '256': 'P-256', '384': 'P-384', '512': 'P-521' } as const

/** Mechanisms that include hashing. */
const hashing = new Map<number, `${'RS' | 'ES'}${Size}`>([
  ...([0x40, 0x41, 0x42] as const).map((type, index) => [type, `RS${sizes[index] as Size}`] as const),
  ...([0x1044, 0x1045, 0x1046] as const).map((type, index) => [type, `ES${sizes[index] as Size}`] as const),
])

export const mechanisms: readonly number[] = [CKM.RSA_PKCS, CKM.RSA_PKCS_PSS, CKM.ECDSA, ...hashing.keys()]

/** Undefined if the mechanism is unsupported or does not fit the key. */
export function signingOf(type: number, from: Reader, keyOf: (handle: number) => Row): Signing | undefined {
  // Versions of p11-kit encode a missing parameter differently; the handle of the key comes last.
  const parameter = from.take(Math.max(0, from.remaining - 8))
  const pss = type === CKM.RSA_PKCS_PSS ? pssSize(parameter) : undefined
  const key = keyOf(from.number())
  const isRsa = key.type === 'RSA'
  const bytes = isRsa ? (key.size ?? 2048) / 8 : 2 * halves[key.curve ?? 'P-256']
  const fits = (size: Size) => isRsa || key.curve === curveOf[size]
  const algorithm = hashing.get(type)
  if (algorithm)
    return algorithm.startsWith(isRsa ? 'RS' : 'ES') && fits(algorithm.slice(2) as Size)
      ? { key, bytes, toSign: (data) => ({ algorithm, data, isDigest: false }) }
      : undefined
  if (type === CKM.RSA_PKCS && isRsa) return { key, bytes, toSign: fromInfo }
  if (type === CKM.RSA_PKCS_PSS && isRsa && pss)
    return { key, bytes, toSign: (data) => ofDigest(`PS${pss}`, pss, data) }
  if (type !== CKM.ECDSA || isRsa) return undefined
  const size = sizes.find(fits)
  return size && { key, bytes, toSign: (data) => ofDigest(`ES${size}`, size, data) }
}

const ofDigest = (algorithm: ToSign['algorithm'], size: Size, data: Buffer): ToSign | undefined =>
  data.length === hashes[size].bytes ? { algorithm, data, isDigest: true } : undefined

/** Parses a DigestInfo (RFC 8017). */
function fromInfo(data: Buffer): ToSign | undefined {
  for (const size of sizes) {
    const prefix = Buffer.from(hashes[size].prefix, 'hex')
    if (data.subarray(0, prefix.length).equals(prefix)) return ofDigest(`RS${size}`, size, data.subarray(prefix.length))
  }
  return undefined
}

/** Requires the same hash for data and mask, and a salt of its length. */
function pssSize(parameter: Buffer): Size | undefined {
  if (parameter.length < 24) return undefined
  const from = new Reader(parameter.subarray(-24))
  const [hash, mgf, salt] = [from.number(), from.number(), from.number()]
  const functions = { '256': CKG.MGF1_SHA256, '384': CKG.MGF1_SHA384, '512': CKG.MGF1_SHA512 }
  return sizes.find((size) => hashes[size].type === hash && functions[size] === mgf && hashes[size].bytes === salt)
}
