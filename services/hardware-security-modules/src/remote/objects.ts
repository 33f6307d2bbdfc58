import { CKA, CKK, CKO } from '@icosa/pkcs11'
import type { ModuleCaller } from '../data-plane/authenticate.ts'
import type { Row } from '../keys/store.ts'
import { isGranted } from '../keys/use.ts'
import { givenPublicTemplate } from '../token/keys.ts'
import type { Writer } from './wire.ts'

/** Half of a key pair, as PKCS#11 has it. */
export interface RemoteObject {
  readonly key: Row
  readonly attributes: ReadonlyMap<number, Uint8Array | boolean | number>
}

/** Further attributes that callers ask for. */
const more = {
  SIGN_RECOVER: 0x109,
  VERIFY_RECOVER: 0x10b,
  LOCAL: 0x163,
  NEVER_EXTRACTABLE: 0x164,
  ALWAYS_SENSITIVE: 0x165,
  MODIFIABLE: 0x170,
  ALWAYS_AUTHENTICATE: 0x202,
} as const
/** What a key would have to be told in clear for. */
const secrets: ReadonlySet<number> = new Set([CKA.VALUE, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128])
/** Values that are numbers, and those that are true or false; all others are bytes. */
const certificates = { TYPE: 0x80, TRUSTED: 0x86, CATEGORY: 0x87 } as const
const asNumbers: ReadonlySet<number> = new Set([
  ...[CKA.CLASS, CKA.KEY_TYPE, CKA.MODULUS_BITS, CKA.VALUE_LEN, certificates.TYPE, certificates.CATEGORY],
])
const { SENSITIVE, ENCRYPT, DECRYPT, WRAP, UNWRAP, SIGN, VERIFY, DERIVE, EXTRACTABLE, TOKEN, PRIVATE } = CKA
const asBooleans: ReadonlySet<number> = new Set([
  ...[TOKEN, PRIVATE, SENSITIVE, ENCRYPT, DECRYPT, WRAP, UNWRAP, SIGN, VERIFY, DERIVE, EXTRACTABLE],
  ...Object.values(more),
  certificates.TRUSTED,
])

/** The two halves of a key that signs, or of RSA decrypts. Others are used over HTTP, and are not seen here. */
export function objectsOf(key: Row, caller: ModuleCaller): RemoteObject[] {
  const can = (operation: 'sign' | 'decrypt') => key.operations.includes(operation)
  if (key.publicKey === null || key.type === 'OKP' || !(can('sign') || can('decrypt'))) return []
  const given = givenPublicTemplate(key.name, key, key.publicKey).filter(([type]) => !asBooleans.has(type))
  const pair = new Map<number, Uint8Array | boolean | number>([
    ...given,
    [CKA.ID, Buffer.from(key.name)],
    [CKA.LABEL, Buffer.from(key.name)],
    [CKA.KEY_TYPE, key.type === 'RSA' ? CKK.RSA : CKK.EC],
    [TOKEN, true],
    [more.LOCAL, !key.imported],
    [more.MODIFIABLE, false],
    [DERIVE, false],
    ...(key.size === undefined ? [] : ([[CKA.MODULUS_BITS, key.size]] as const)),
  ])
  const open = new Map([
    ...pair,
    [CKA.CLASS, CKO.PUBLIC_KEY] as const,
    ...([PRIVATE, ENCRYPT, WRAP, VERIFY, more.VERIFY_RECOVER] as const).map((type) => [type, false] as const),
  ])
  const secret = new Map([
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
  return [open, secret].map((attributes) => ({ key, attributes }))
}

/** As it comes in a template. */
export function readValue(type: number, read: { byte(): number; number(): number; text(): Buffer }) {
  if (asBooleans.has(type)) return read.byte() !== 0
  return asNumbers.has(type) ? read.number() : read.text()
}

export function isSame(one: Uint8Array | boolean | number | undefined, other: Uint8Array | boolean | number): boolean {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return one === other
  return Buffer.from(one).equals(other)
}

export type Told = 'told' | 'sensitive' | 'unknown' | 'short'

/** Tells an attribute, or how long it is if the caller has no room yet. */
export function tell(to: Writer, { attributes }: RemoteObject, type: number, room: number): Told {
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
  return 'told'
}
