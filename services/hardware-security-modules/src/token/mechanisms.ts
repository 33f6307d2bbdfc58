import { createHash } from 'node:crypto'
import { CKG, CKM, CKZ_DATA_SPECIFIED, type Mechanism, numbers } from '@icosa/pkcs11'
import type { SignatureAlgorithm, WrappingAlgorithm } from '../keys/names.ts'

/** Data to sign, or its digest. */
export interface ToSign {
  readonly algorithm: SignatureAlgorithm
  readonly data: Uint8Array
  readonly isDigest: boolean
}

export const hashes = {
  '256': {
    name: 'sha256',
    bytes: 32,
    type: CKM.SHA256,
    mgf: CKG.MGF1_SHA256,
    prefix: '3031300d060960864801650304020105000420',
  },
  '384': {
    name: 'sha384',
    bytes: 48,
    type: CKM.SHA384,
    mgf: CKG.MGF1_SHA384,
    prefix: '3041300d060960864801650304020205000430',
  },
  '512': {
    name: 'sha512',
    bytes: 64,
    type: CKM.SHA512,
    mgf: CKG.MGF1_SHA512,
    prefix: '3051300d060960864801650304020305000440',
  },
} as const

/** Digest length of an algorithm; undefined if it does not sign digests. */
export const digestBytes = (algorithm: SignatureAlgorithm): number | undefined =>
  algorithm === 'EdDSA' ? undefined : hashOf(algorithm).bytes

/** Mechanism and input of a signature. Digests are computed here, since every token can sign one. */
export function signing({ algorithm, data, isDigest }: ToSign): {
  readonly mechanism: Mechanism
  readonly data: Uint8Array
} {
  if (algorithm === 'EdDSA') return { mechanism: { type: CKM.EDDSA }, data }
  const hash = hashOf(algorithm)
  const digest = isDigest ? data : createHash(hash.name).update(data).digest()
  if (algorithm.startsWith('ES')) return { mechanism: { type: CKM.ECDSA }, data: digest }
  if (algorithm.startsWith('RS'))
    return { mechanism: { type: CKM.RSA_PKCS }, data: Buffer.concat([Buffer.from(hash.prefix, 'hex'), digest]) }
  const parameter = numbers(hash.type, hash.mgf, hash.bytes)
  return { mechanism: { type: CKM.RSA_PKCS_PSS, parameter }, data: digest }
}

/** SHA-1 without a label, the only variant that SoftHSM supports. */
export const oaep: Mechanism = {
  type: CKM.RSA_PKCS_OAEP,
  parameter: numbers(CKM.SHA_1, CKG.MGF1_SHA1, CKZ_DATA_SPECIFIED, 0, 0),
}

export function wrapping(algorithm: WrappingAlgorithm): Mechanism {
  if (algorithm === 'RSA-OAEP') return oaep
  return { type: algorithm === 'AES-KW' ? CKM.AES_KEY_WRAP : CKM.AES_KEY_WRAP_PAD }
}

function hashOf(algorithm: SignatureAlgorithm) {
  return hashes[algorithm.slice(2) as keyof typeof hashes]
}
