import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { contentHashHeaders, dateHeaders } from '../names.ts'
import { unauthenticated } from './problems.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What `Authorization: HMAC-SHA256 ...` says. */
export interface Signed {
  readonly credential: string
  readonly headers: readonly string[]
  readonly signature: Buffer
}

const refuse = (description: string) => unauthenticated(description, 'HMAC-SHA256')

/** Parts are joined by `&`; some of the published examples join them by `, `. */
export function parseSigned(parameters: string): Signed {
  const parts = new Map(
    parameters.split(/&|,\s*/).map((part) => {
      const [name = ''] = part.split('=', 1)
      return [name.trim().toLowerCase(), part.slice(name.length + 1)]
    }),
  )
  const part = (name: string) => {
    const value = parts.get(name.toLowerCase())
    if (!value) throw refuse(`${name} is required`)
    return value
  }
  return {
    credential: part('Credential'),
    headers: part('SignedHeaders').toLowerCase().split(';'),
    signature: Buffer.from(part('Signature'), 'base64'),
  }
}

/** METHOD, path with query, and the values of the signed headers. */
export function stringToSign(method: string, target: string, values: readonly string[]): string {
  return `${method.toUpperCase()}\n${target}\n${values.join(';')}`
}

export const signatureOf = (text: string, secret: Uint8Array) => createHmac('sha256', secret).update(text).digest()

export const contentHash = (body: Uint8Array | string) => createHash('sha256').update(body).digest('base64')

/** One of these must be signed; answers the one that counts. */
function demand(signed: readonly string[], names: readonly string[]): string {
  const found = names.find((name) => signed.includes(name))
  if (found === undefined) throw refuse(`${names[0]} is required as a signed header`)
  return found
}

const toleranceMs = 15 * 60_000

/** The values of the signed headers; among them the date, which must be about now, in real time. */
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

/** In a time that does not tell how much of it was right. */
export function isSignedBy(secret: Uint8Array, { signature }: Signed, text: string): boolean {
  const expected = signatureOf(text, secret)
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

/** A signature covers the hash of a body; this holds the body against the hash. */
export function checkContent(headers: Headers, signed: readonly string[], body: Uint8Array): void {
  const name = demand(signed, contentHashHeaders)
  if (contentHash(body) !== headers[name]) throw refuse('The body does not have the hash that was signed')
}
