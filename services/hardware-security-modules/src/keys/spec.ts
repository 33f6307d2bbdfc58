import { createPublicKey } from 'node:crypto'
import { invalid } from '@icosa/kernel'
import type { KeySpec } from '../token/keys.ts'
import type { Grant, KeyInput } from './contract.ts'
import type { Curve, KeyOperation, KeyType } from './names.ts'

const reject = (name: string, message: string): never => invalid([{ at: `body/${name}`, message }])

const sizes: Readonly<Record<KeyType, readonly number[]>> = {
  RSA: [2048, 3072, 4096],
  AES: [256, 192, 128],
  EC: [],
  OKP: [],
}
const curvesOf: Readonly<Record<KeyType, readonly Curve[]>> = {
  RSA: [],
  AES: [],
  EC: ['P-256', 'P-384', 'P-521'],
  OKP: ['Ed25519'],
}
const operationsOf: Readonly<Record<KeyType, readonly KeyOperation[]>> = {
  RSA: ['sign', 'verify', 'wrap', 'unwrap', 'encrypt', 'decrypt'],
  EC: ['sign', 'verify'],
  OKP: ['sign', 'verify'],
  AES: ['wrap', 'unwrap', 'encrypt', 'decrypt'],
}
const defaultOperations: Readonly<Record<KeyType, readonly KeyOperation[]>> = {
  RSA: ['sign', 'verify'],
  EC: ['sign', 'verify'],
  OKP: ['sign', 'verify'],
  AES: ['encrypt', 'decrypt'],
}

/** Completes the requested properties by defaults, and refuses contradictions. */
export function specOf(input: KeyInput, { isImport = false } = {}): KeySpec {
  const { type, size, curve, operations = defaultOperations[type], exportable = false } = input
  const [defaultSize, defaultCurve] = [sizes[type][0], curvesOf[type][0]]
  if (size !== undefined && !sizes[type].includes(size))
    reject(
      'size',
      defaultSize ? `must be one of ${sizes[type].join(', ')} for ${type}` : `does not apply to ${type}: set curve`,
    )
  if (curve !== undefined && !curvesOf[type].includes(curve))
    reject(
      'curve',
      defaultCurve ? `must be one of ${curvesOf[type].join(', ')} for ${type}` : `does not apply to ${type}: set size`,
    )
  const impossible = operations.find((operation) => !operationsOf[type].includes(operation))
  if (impossible)
    reject('operations', `must be some of ${operationsOf[type].join(', ')} for ${type}, not ${impossible}`)
  if (operations.length === 0) reject('operations', 'must not be empty')
  demandSeparate(operations)
  if (isImport) demandImportable(type, operations)
  return {
    type,
    size: size ?? defaultSize,
    curve: curve ?? defaultCurve,
    operations: operationsOf[type].filter((operation) => operations.includes(operation)),
    exportable,
  }
}

/** A key for both could decrypt another key that it has wrapped, and so export it in plaintext. */
function demandSeparate(operations: readonly KeyOperation[]): void {
  const has = (...names: KeyOperation[]) => names.some((name) => operations.includes(name))
  if (has('wrap', 'unwrap') && has('encrypt', 'decrypt'))
    reject('operations', 'must either wrap keys or encrypt data: create a key for each')
}

/** An imported key may be known outside, and so must not wrap. A private key is verified by a test signature. */
function demandImportable(type: KeyType, operations: readonly KeyOperation[]): void {
  if (type === 'AES' && operations.includes('wrap'))
    reject('operations', 'must not contain wrap: an imported key may be known outside')
  if ((type === 'EC' || type === 'OKP') && !operations.includes('sign')) reject('operations', 'must contain sign')
}

/** Returns the grants of a key; by default every caller of the tenant has full access. */
export function accessOf(access: readonly Grant[] | undefined, { operations }: Pick<KeySpec, 'operations'>): Grant[] {
  if (access === undefined) return [{ caller: '*', operations: [...operations] }]
  for (const { operations: granted } of access)
    for (const operation of granted)
      if (!operations.includes(operation)) reject('access', `grants ${operation}, which the key cannot do`)
  return access.map(({ caller, operations: granted }) => ({ caller, operations: [...granted] }))
}

/** Refuses a public key that does not match the type of the private key. */
export function demandPublicKey(pem: string | undefined, { type, curve }: KeySpec): void {
  if (type !== 'EC' && type !== 'OKP') {
    if (pem !== undefined) reject('publicKey', `does not apply to ${type}: omit it`)
    return
  }
  if (pem === undefined) reject('publicKey', 'is required: the wrapped key does not contain it')
  const crv = curveOf(pem ?? '')
  if (crv !== curve) reject('publicKey', `must be a ${curve} key`)
}

function curveOf(pem: string): string | undefined {
  try {
    return createPublicKey(pem).export({ format: 'jwk' }).crv
  } catch {
    return reject('publicKey', 'must be a public key in PEM')
  }
}
