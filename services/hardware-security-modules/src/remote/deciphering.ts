import { CKG, CKM, CKZ_DATA_SPECIFIED } from '@icosa/pkcs11'
import type { Row } from '../keys/store.ts'
import { Reader } from './wire.ts'

/** A decryption in progress. */
export interface Deciphering {
  readonly key: Row
  /** Maximum length of the plaintext. */
  readonly bytes: number
}

export const decipheringMechanisms: readonly number[] = [CKM.RSA_PKCS_OAEP]

/** Undefined if the mechanism is not RSA-OAEP with supported parameters, or does not fit the key. */
export function decipheringOf(type: number, from: Reader, keyOf: (handle: number) => Row): Deciphering | undefined {
  const parameter = from.take(Math.max(0, from.remaining - 8)) // the handle of the key comes last
  const key = keyOf(from.number())
  if (type !== CKM.RSA_PKCS_OAEP || key.type !== 'RSA' || !isSupported(parameter)) return undefined
  return { key, bytes: (key.size ?? 2048) / 8 }
}

const numbersBytes = 24
const lengthBytes = 4

/** SHA-1, without a label. */
function isSupported(parameter: Buffer): boolean {
  if (parameter.length < numbersBytes + lengthBytes) return false
  const from = new Reader(parameter.subarray(-numbersBytes - lengthBytes))
  const [hash, mgf, source] = [from.number(), from.number(), from.number()]
  return hash === CKM.SHA_1 && mgf === CKG.MGF1_SHA1 && source === CKZ_DATA_SPECIFIED && from.text().length === 0
}
