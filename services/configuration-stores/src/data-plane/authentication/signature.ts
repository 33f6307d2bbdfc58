import { hash, timingSafeEqual } from 'node:crypto'
import { contentHashHeaders, dateHeaders } from '../../names.ts'
import { unauthenticated } from '../problems.ts'
import type { Sign } from './hmac.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Parsed `Authorization: HMAC-SHA256 ...`. */
export interface Signed {
  readonly credential: string
  readonly headers: readonly string[]
  readonly signature: Buffer
}

const refuse = (description: string) => unauthenticated(description, 'HMAC-SHA256')

/** Parts are joined by `&`; some of the published examples join them by `, `. */
export function parseSigned(parameters: string): Signed {
  let [credential, headers, signature] = ['', '', '']
  for (const part of parameters.split(parameters.includes(',') ? /&|,\s*/ : '&')) {
    const equals = part.indexOf('=')
    if (equals < 0) continue
    const name = part.slice(0, equals).trim().toLowerCase()
    const value = part.slice(equals + 1)
    if (name === 'credential') credential = value
    else if (name === 'signedheaders') headers = value
    else if (name === 'signature') signature = value
  }
  return {
    credential: credential || required('Credential'),
    headers: (headers || required('SignedHeaders')).toLowerCase().split(';'),
    signature: Buffer.from(signature || required('Signature'), 'base64'),
  }
}

function required(name: string): never {
  throw refuse(`${name} is required`)
}

/** METHOD, path with query, and the values of the signed headers. */
export function stringToSign(method: string, target: string, values: readonly string[]): string {
  return `${method.toUpperCase()}\n${target}\n${values.join(';')}`
}

export const contentHash = (body: Uint8Array | string) => hash('sha256', body, 'base64')

/** Returns the first of these headers that is signed; refuses requests without one. */
function demand(signed: readonly string[], names: readonly string[]): string {
  const header = names.find((name) => signed.includes(name))
  if (header === undefined) throw refuse(`${names[0]} is required as a signed header`)
  return header
}

const toleranceMs = 15 * 60_000

/** Returns the values of the signed headers. The date must be about now, in real time. */
export function signedValues({ headers: signed }: Signed, headers: Headers, now: Date): readonly string[] {
  const date = demand(signed, dateHeaders)
  demand(signed, ['host'])
  demand(signed, contentHashHeaders)
  const values = signed.map((name) => {
    const value = headers[name]
    if (value === undefined) throw refuse(`Signed request header '${name}' is not provided`)
    return String(value)
  })
  const at = Date.parse(String(headers[date]))
  if (Number.isNaN(at)) throw refuse('Invalid access token date')
  if (Math.abs(at - now.getTime()) > toleranceMs) throw refuse('The access token has expired')
  return values
}

/** Compares in constant time. */
export function isSignedBy(sign: Sign, { signature }: Signed, text: string): boolean {
  const expected = sign(text)
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** Returns the signed hash of the body. */
export function signedHash({ headers: signed }: Signed, headers: Headers): string {
  return String(headers[demand(signed, contentHashHeaders)])
}

const emptyHash = contentHash('')

/** Compares a body with its signed hash. */
export function checkContent(expected: string, body: Uint8Array): void {
  const actual = body.length === 0 ? emptyHash : contentHash(body)
  if (actual !== expected) throw refuse('The body does not have the hash that was signed')
}
