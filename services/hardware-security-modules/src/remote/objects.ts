import { CKA, CKK, CKO } from '@icosa/pkcs11'
import type { ModuleCaller } from '../data-plane/authenticate.ts'
import type { Row } from '../keys/store.ts'
import { isGranted } from '../keys/use.ts'
import { importedPublicTemplate } from '../token/keys.ts'
import type { Writer } from './wire.ts'

/** A public or private key as a PKCS#11 object. */
export interface RemoteObject {
  readonly key: Row
  readonly attributes: ReadonlyMap<number, Uint8Array | boolean | number>
}

/** Attributes missing in `CKA`. */
const more = {
  SIGN_RECOVER: 0x109,
  VERIFY_RECOVER: 0x10b,
  LOCAL: 0x163,
  NEVER_EXTRACTABLE: 0x164,
  ALWAYS_SENSITIVE: 0x165,
  MODIFIABLE: 0x170,
  ALWAYS_AUTHENTICATE: 0x202,
} as const
/** Attributes that contain secret key material. */
const secrets: ReadonlySet<number> = new Set([CKA.VALUE, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128])
const certificates = { TYPE: 0x80, TRUSTED: 0x86, CATEGORY: 0x87 } as const
/** Attributes whose values are numbers or booleans; all others are bytes. */
const asNumbers: ReadonlySet<number> = new Set([
  ...[CKA.CLASS, CKA.KEY_TYPE, CKA.MODULUS_BITS, CKA.VALUE_LEN, certificates.TYPE, certificates.CATEGORY],
])
const { SENSITIVE, ENCRYPT, DECRYPT, WRAP, UNWRAP, SIGN, VERIFY, DERIVE, EXTRACTABLE, TOKEN, PRIVATE } = CKA
const asBooleans: ReadonlySet<number> = new Set([
  ...[TOKEN, PRIVATE, SENSITIVE, ENCRYPT, DECRYPT, WRAP, UNWRAP, SIGN, VERIFY, DERIVE, EXTRACTABLE],
  ...Object.values(more),
  certificates.TRUSTED,
])

/** Returns public and private key of a pair that signs, or an RSA pair that decrypts. Other keys are hidden. */
export function objectsOf(key: Row, caller: ModuleCaller): RemoteObject[] {
  const can = (operation: 'sign' | 'decrypt') => key.operations.includes(operation)
  if (key.publicKey === null || key.type === 'OKP' || !(can('sign') || can('decrypt'))) return []
  const template = importedPublicTemplate(key.name, key, key.publicKey).filter(([type]) => !asBooleans.has(type))
  const pair = new Map<number, Uint8Array | boolean | number>([
    ...template,
    [CKA.ID, Buffer.from(key.name)],
    [CKA.LABEL, Buffer.from(key.name)],
    [CKA.KEY_TYPE, key.type === 'RSA' ? CKK.RSA : CKK.EC],
    [TOKEN, true],
    [more.LOCAL, !key.imported],
    [more.MODIFIABLE, false],
    [DERIVE, false],
    ...(key.size === undefined ? [] : ([[CKA.MODULUS_BITS, key.size]] as const)),
  ])
  const publicKey = new Map([
    ...pair,
    [CKA.CLASS, CKO.PUBLIC_KEY] as const,
    ...([PRIVATE, ENCRYPT, WRAP, VERIFY, more.VERIFY_RECOVER] as const).map((type) => [type, false] as const),
  ])
  const privateKey = new Map([
    ...pair,
    [CKA.CLASS, CKO.PRIVATE_KEY] as const,
    [PRIVATE, true] as const,
    [SENSITIVE, true] as const,
    [SIGN, can('sign') && isGranted(key, 'sign', caller)] as const,
    [DECRYPT, can('decrypt') && isGranted(key, 'decrypt', caller)] as const,
    [EXTRACTABLE, key.exportable] as const,
    [more.NEVER_EXTRACTABLE, !key.exportable && !key.imported] as const,
    [more.ALWAYS_SENSITIVE, !key.imported] as const,
    ...([UNWRAP, more.SIGN_RECOVER, more.ALWAYS_AUTHENTICATE] as const).map((type) => [type, false] as const),
  ])
  return [publicKey, privateKey].map((attributes) => ({ key, attributes }))
}

/** Reads an attribute value of a template. */
export function readValue(type: number, reader: { byte(): number; number(): number; text(): Buffer }) {
  if (asBooleans.has(type)) return reader.byte() !== 0
  return asNumbers.has(type) ? reader.number() : reader.text()
}

export function isSame(a: Uint8Array | boolean | number | undefined, b: Uint8Array | boolean | number): boolean {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return a === b
  return Buffer.from(a).equals(b)
}

export type AttributeStatus = 'ok' | 'sensitive' | 'unknown' | 'short'

/** Writes an attribute, or its length if the caller has no room yet. */
export function writeAttribute(to: Writer, { attributes }: RemoteObject, type: number, room: number): AttributeStatus {
  to.short(type)
  const value = attributes.get(type)
  if (value === undefined) {
    to.byte(0)
    return secrets.has(type) ? 'sensitive' : 'unknown'
  }
  const length = value instanceof Uint8Array ? value.length : typeof value === 'number' ? 8 : 1
  if (room !== 0 && room < length) {
    to.byte(0)
    return 'short'
  }
  to.byte(1).short(length)
  if (typeof value === 'number') to.number(value)
  else if (typeof value === 'boolean') to.byte(value ? 1 : 0)
  else if (room === 0) to.absent()
  else to.text(value)
  return 'ok'
}
