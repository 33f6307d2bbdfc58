import { createPublicKey } from 'node:crypto'
import { invalid } from '@icosa/kernel'
import type { KeySpec } from '../token/keys.ts'
import type { Grant, KeyInput } from './contract.ts'
import type { Curve, KeyOperation, KeyType } from './names.ts'

const wrong = (name: string, message: string): never => invalid([{ at: `body/${name}`, message }])

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
const usual: Readonly<Record<KeyType, readonly KeyOperation[]>> = {
  RSA: ['sign', 'verify'],
  EC: ['sign', 'verify'],
  OKP: ['sign', 'verify'],
  AES: ['encrypt', 'decrypt'],
}

/** What is asked for, whole and without contradictions. */
export function specOf(input: KeyInput, { isImport = false } = {}): KeySpec {
  const { type, size, curve, operations = usual[type], exportable = false } = input
  const [defaultSize, defaultCurve] = [sizes[type][0], curvesOf[type][0]]
  if (size !== undefined && !sizes[type].includes(size))
    wrong('size', defaultSize ? `of ${type} is one of ${sizes[type].join(', ')}` : `is not for ${type}: give a curve`)
  if (curve !== undefined && !curvesOf[type].includes(curve))
    wrong(
      'curve',
      defaultCurve ? `of ${type} is one of ${curvesOf[type].join(', ')}` : `is not for ${type}: give a size`,
    )
  const strange = operations.find((operation) => !operationsOf[type].includes(operation))
  if (strange)
    wrong('operations', `has ${strange}, which an ${type} key cannot do: ${operationsOf[type].join(', ')} it can`)
  if (operations.length === 0) wrong('operations', 'is empty: a key that may do nothing is of no use')
  demandApart(operations)
  if (isImport) demandImportable(type, operations)
  return {
    type,
    size: size ?? defaultSize,
    curve: curve ?? defaultCurve,
    operations: operationsOf[type].filter((operation) => operations.includes(operation)),
    exportable,
  }
}

/** With both, somebody wraps a key and decrypts what comes out: it would have left the module in clear. */
function demandApart(operations: readonly KeyOperation[]): void {
  const has = (...some: KeyOperation[]) => some.some((one) => operations.includes(one))
  if (has('wrap', 'unwrap') && has('encrypt', 'decrypt'))
    wrong('operations', 'has both: a key wraps keys or encrypts data. Make one for each')
}

/** Somebody outside may know an imported key: what it wraps would be out. And a private key proves what it is by signing. */
function demandImportable(type: KeyType, operations: readonly KeyOperation[]): void {
  if (type === 'AES' && operations.includes('wrap'))
    wrong('operations', 'has wrap: an imported key wraps no others, since it is known outside')
  if ((type === 'EC' || type === 'OKP') && !operations.includes('sign')) wrong('operations', 'needs sign')
}

/** Who may do what: everybody of the tenant, if nothing is said. */
export function accessOf(access: readonly Grant[] | undefined, { operations }: Pick<KeySpec, 'operations'>): Grant[] {
  if (access === undefined) return [{ caller: '*', operations: [...operations] }]
  for (const { operations: granted } of access)
    for (const operation of granted)
      if (!operations.includes(operation)) wrong('access', `grants ${operation}, which the key cannot do`)
  return access.map(({ caller, operations: granted }) => ({ caller, operations: [...granted] }))
}

/** The public half that comes with a private key must be one of its kind. */
export function demandPublicKey(pem: string | undefined, { type, curve }: KeySpec): void {
  if (type !== 'EC' && type !== 'OKP') {
    if (pem !== undefined) wrong('publicKey', `is not needed for ${type}: leave it out`)
    return
  }
  if (pem === undefined) wrong('publicKey', 'is needed: the wrapped key does not have it')
  const crv = curveOf(pem ?? '')
  if (crv !== curve) wrong('publicKey', `is not one of ${curve}`)
}

function curveOf(pem: string): string | undefined {
  try {
    return createPublicKey(pem).export({ format: 'jwk' }).crv
  } catch {
    return wrong('publicKey', 'is not a public key in PEM')
  }
}
