import { Failure, type Incoming } from '@icosa/kernel'
import { algorithm, type Scope, terminator } from './signature.ts'

/** A request's claims about its signature, unverified. */
export interface SignedRequest {
  readonly keyId: string
  readonly scope: Scope
  /** `20150830T123600Z`. */
  readonly time: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  readonly sessionToken: string | undefined
  /** Validity of a presigned request. */
  readonly expiresSeconds: number | undefined
}

type Signed = Pick<Incoming, 'headers' | 'target'>

/** Reads the Authorization header or, for a presigned request, the query. */
export function readAuthorization(incoming: Signed): SignedRequest {
  const { authorization } = incoming.headers
  if (isPresigned(incoming.target)) {
    if (authorization !== undefined) incomplete('Sign either in the query or in the Authorization header, not in both.')
    return fromQuery(new URLSearchParams(incoming.target.split(/\?(.*)/s, 2)[1]))
  }
  if (typeof authorization !== 'string')
    throw new Failure('unauthenticated', 'Sign the request with Signature Version 4: it has no Authorization header.')
  return fromHeader(authorization, incoming.headers)
}

/** Service in a request's credential scope, for routing. */
export function signedService({ headers: { authorization }, target }: Signed): string | undefined {
  const text = typeof authorization === 'string' ? authorization : isPresigned(target) ? target : ''
  const at = text.indexOf('Credential=')
  if (at < 0) return undefined
  // Only the first one, and no more than a credential's maximum length: this is untrusted.
  const credential = text.slice(at, at + maxCredentialLength).replaceAll(/%2f/gi, '/')
  return /^Credential=[^/,\s]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(credential)?.[1]
}

/** With escaped slashes: an ID of 128, a region and a service of 64 characters each. */
const maxCredentialLength = 400
const isPresigned = (target: string) => target.includes('X-Amz-Signature=')

const headerForm = new RegExp(
  `^${algorithm} Credential=([^,\\s]+), *SignedHeaders=([^,\\s]+), *Signature=([0-9a-f]{64})$`,
)

function fromHeader(authorization: string, headers: Signed['headers']): SignedRequest {
  const [, credential, names, signature] = headerForm.exec(authorization) ?? []
  if (!credential || !names || !signature)
    incomplete(`Write Authorization as: ${algorithm} Credential=..., SignedHeaders=..., Signature=...`)
  const date = headers['x-amz-date'] ?? basicDate(headers.date)
  return {
    ...readCredential(credential),
    time: readTime(date),
    signedHeaders: names.split(';'),
    signature,
    sessionToken: headers['x-amz-security-token']?.toString(),
    expiresSeconds: undefined,
  }
}

/** Maximum validity of presigned requests: one week. */
const maxSeconds = 604_800

function fromQuery(query: URLSearchParams): SignedRequest {
  const signature = query.get('X-Amz-Signature') ?? ''
  const expires = query.get('X-Amz-Expires') ?? ''
  if (query.get('X-Amz-Algorithm') !== algorithm) incomplete(`X-Amz-Algorithm must be ${algorithm}.`)
  if (!/^[0-9a-f]{64}$/.test(signature)) incomplete('X-Amz-Signature must be 64 hexadecimal digits.')
  if (!/^\d{1,6}$/.test(expires) || Number(expires) < 1 || Number(expires) > maxSeconds)
    incomplete(`X-Amz-Expires must be 1 to ${maxSeconds} seconds.`)
  return {
    ...readCredential(query.get('X-Amz-Credential') ?? ''),
    time: readTime(query.get('X-Amz-Date')),
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature,
    sessionToken: query.get('X-Amz-Security-Token') ?? undefined,
    expiresSeconds: Number(expires),
  }
}

const credentialForm = new RegExp(`^([\\w-]{4,128})/(\\d{8})/([\\w-]{1,64})/([\\w-]{1,64})/${terminator}$`)

function readCredential(text: string): Pick<SignedRequest, 'keyId' | 'scope'> {
  const [, keyId, date, region, service] = credentialForm.exec(text) ?? []
  if (!keyId || !date || !region || !service)
    incomplete(`Write Credential as: access key id/yyyymmdd/region/service/${terminator}`)
  return { keyId, scope: { date, region, service } }
}

function readTime(text: unknown): string {
  if (typeof text !== 'string' || !/^\d{8}T\d{6}Z$/.test(text)) incomplete('Send X-Amz-Date as 20261231T235959Z.')
  return text
}

function basicDate(date: string | string[] | undefined): string | undefined {
  const at = new Date(date?.toString() ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function incomplete(message: string): never {
  throw new Failure('unauthenticated', message, { code: 'IncompleteSignatureException' })
}
