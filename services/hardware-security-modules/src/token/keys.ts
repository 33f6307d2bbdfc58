import { createPublicKey } from 'node:crypto'
import type { Attribute, Mechanism, Pkcs11 } from '@icosa/pkcs11'
import { CKA, CKK, CKM, CKO } from '@icosa/pkcs11'
import { type Curve, type KeyOperation, type KeyType, keyOperations } from '../keys/names.ts'

/** Properties of a key that the token enforces. */
export interface KeySpec {
  readonly type: KeyType
  /** Bits of an RSA or AES key. */
  readonly size?: number | undefined
  readonly curve?: Curve | undefined
  readonly operations: readonly KeyOperation[]
  /** Whether it may be wrapped under another key. */
  readonly exportable: boolean
}

const edwards = '130c656477617264733235353139' // edwards25519 by name, as in PKCS#11 2.40
const parameters: Readonly<Record<Curve, string>> = {
  'P-256': '06082a8648ce3d030107',
  'P-384': '06052b81040022',
  'P-521': '06052b81040023',
  Ed25519: edwards,
}

const flags: Readonly<Record<KeyOperation, number>> = {
  sign: CKA.SIGN,
  verify: CKA.VERIFY,
  wrap: CKA.WRAP,
  unwrap: CKA.UNWRAP,
  encrypt: CKA.ENCRYPT,
  decrypt: CKA.DECRYPT,
}

const publicOperations: readonly KeyOperation[] = ['verify', 'wrap', 'encrypt']
const secretOperations: readonly KeyOperation[] = ['sign', 'unwrap', 'decrypt']

/** Mechanism that generates a key. */
export function generation({ type }: KeySpec): Mechanism {
  const types = {
    RSA: CKM.RSA_PKCS_KEY_PAIR_GEN,
    EC: CKM.EC_KEY_PAIR_GEN,
    OKP: CKM.EC_EDWARDS_KEY_PAIR_GEN,
    AES: CKM.AES_KEY_GEN,
  }
  return { type: types[type] }
}

const keyType = { RSA: CKK.RSA, EC: CKK.EC, OKP: CKK.EC_EDWARDS, AES: CKK.AES } as const

const common = (id: string): Attribute[] => [
  [CKA.TOKEN, true],
  [CKA.ID, Buffer.from(id)],
  [CKA.LABEL, Buffer.from(id)],
]

const allowed = ({ operations }: KeySpec, among: readonly KeyOperation[]): Attribute[] =>
  among.map((operation) => [flags[operation], operations.includes(operation)])

/** Template of a private or secret key, which is never exported in plaintext. */
export function secretTemplate(id: string, spec: KeySpec, origin: 'generated' | 'unwrapped'): Attribute[] {
  const isPair = spec.type !== 'AES'
  return [
    ...common(id),
    ...(origin === 'unwrapped'
      ? ([
          [CKA.CLASS, isPair ? CKO.PRIVATE_KEY : CKO.SECRET_KEY],
          [CKA.KEY_TYPE, keyType[spec.type]],
        ] as const)
      : []),
    [CKA.PRIVATE, true],
    [CKA.SENSITIVE, true],
    [CKA.EXTRACTABLE, spec.exportable],
    ...(isPair || origin === 'unwrapped' ? [] : ([[CKA.VALUE_LEN, (spec.size ?? 256) / 8]] as const)),
    ...allowed(spec, isPair ? secretOperations : keyOperations.slice(2)),
  ]
}

export function publicTemplate(id: string, spec: KeySpec): Attribute[] {
  const own: Attribute[] =
    spec.type === 'RSA'
      ? [
          [CKA.MODULUS_BITS, spec.size ?? 2048],
          [CKA.PUBLIC_EXPONENT, Uint8Array.of(1, 0, 1)],
        ]
      : [[CKA.EC_PARAMS, Buffer.from(parameters[spec.curve ?? 'P-256'], 'hex')]]
  return [...common(id), [CKA.PRIVATE, false], ...own, ...allowed(spec, publicOperations)]
}

/** Template of a public key imported with an unwrapped private one. */
export function importedPublicTemplate(id: string, spec: KeySpec, pem: string): Attribute[] {
  const jwk = createPublicKey(pem).export({ format: 'jwk' })
  const bytes = (text = '') => Buffer.from(text, 'base64url')
  const own: Attribute[] =
    spec.type === 'RSA'
      ? [
          [CKA.MODULUS, bytes(jwk.n)],
          [CKA.PUBLIC_EXPONENT, bytes(jwk.e)],
        ]
      : [
          [CKA.EC_PARAMS, Buffer.from(parameters[spec.curve ?? 'P-256'], 'hex')],
          [
            CKA.EC_POINT,
            octets(spec.type === 'OKP' ? bytes(jwk.x) : Buffer.concat([Uint8Array.of(4), bytes(jwk.x), bytes(jwk.y)])),
          ],
        ]
  return [
    ...common(id),
    [CKA.CLASS, CKO.PUBLIC_KEY],
    [CKA.KEY_TYPE, keyType[spec.type]],
    [CKA.PRIVATE, false],
    ...own,
    ...allowed(spec, publicOperations),
  ]
}

/** Exports a public key as PEM. */
export function publicPem(pkcs11: Pkcs11, session: number, object: number, { type, curve }: KeySpec): string {
  const attributeOf = (attribute: number) => pkcs11.attribute(session, object, attribute)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  if (type === 'RSA')
    return pemOf({ kty: 'RSA', n: text(attributeOf(CKA.MODULUS)), e: text(attributeOf(CKA.PUBLIC_EXPONENT)) })
  const point = contentOf(attributeOf(CKA.EC_POINT))
  if (type === 'OKP') return pemOf({ kty: 'OKP', crv: 'Ed25519', x: text(point) })
  const half = (point.length - 1) / 2
  return pemOf({
    kty: 'EC',
    crv: curve as string,
    x: text(point.subarray(1, 1 + half)),
    y: text(point.subarray(1 + half)),
  })
}

const pemOf = (key: Record<string, string>) =>
  createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()

/** DER octet string, in which tokens encode points. */
function octets(content: Buffer): Buffer {
  const length = content.length < 128 ? [content.length] : [0x81, content.length]
  return Buffer.concat([Uint8Array.of(4, ...length), content])
}

function contentOf(octetString: Buffer): Buffer {
  return octetString.subarray((octetString[1] ?? 0) < 128 ? 2 : 3)
}
