import { request } from '@icosa/client'
import type { Operation as ContractOperation } from '@icosa/contract'
import { access, keyHeaders } from './access.ts'
import { type Api, type Found, type Parameter, platformNow } from './catalogue.ts'
import { signedFetch } from './sign.ts'

export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface FieldProblem {
  /** Such as `body/properties/location`; empty if no field is concerned. */
  readonly at: string
  readonly message: string
}

/** An error response, with the service's own message. */
export class Problem extends Error {
  readonly status: number
  readonly fields: readonly FieldProblem[]

  constructor(status: number, body: unknown) {
    super(messageIn(body) ?? `The request was refused with status ${status}.`)
    this.status = status
    this.fields = fieldsIn(body, this.message)
  }
}

const messageNames = [/^(message|error_description|error|description|detail)$/i, /^title$/i]

/** The first member with a name like `message`, or else `title`, at any depth: its place depends on the dialect. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return typeof body === 'string' && body !== '' ? body : undefined
  for (const pattern of messageNames)
    for (const [name, value] of Object.entries(body)) if (typeof value === 'string' && pattern.test(name)) return value
  for (const value of Object.values(body)) {
    const inner = messageIn(typeof value === 'object' ? value : undefined)
    if (inner !== undefined) return inner
  }
  return undefined
}

const located = /^(body|path|query|headers?)(\/\S*)? (.+)$/s

function fieldsIn(body: unknown, message: string): FieldProblem[] {
  const lines = message.split('; ').flatMap((line) => {
    const [, part = '', path = '', text = ''] = located.exec(line) ?? []
    return text ? [{ at: part + path, message: text }] : []
  })
  return lines.length > 0 ? lines : detailsIn(body)
}

function detailsIn(value: unknown): FieldProblem[] {
  if (typeof value !== 'object' || value === null) return []
  const { target, at, field, message, description } = value as Record<string, unknown>
  const place = target ?? at ?? field
  const text = message ?? description
  if (typeof place === 'string' && typeof text === 'string') return [{ at: place, message: text }]
  return Object.values(value).flatMap(detailsIn)
}

export const baseUrl = (service: string) => `${location.origin}/${service}`

/** Headers by which a dialect authenticates callers. */
export function credentialHeaders({ authentication: { kind, header } }: Api, tenant: string): Record<string, string> {
  const key = access.get()?.key ?? ''
  switch (kind) {
    case 'key':
      return keyHeaders(header ?? '')
    case 'bearer':
      return { authorization: `Bearer ${key}` }
    case 'basic':
      return { authorization: `Basic ${btoa(`${tenant}:${key}`)}` }
    default:
      return {}
  }
}

function fetchFor({ authentication: { kind, region = '', service = '' } }: Api): typeof fetch {
  const signing = access.get()?.signing
  if (kind !== 'signature') return (...args) => fetch(...args)
  if (!signing)
    throw new Problem(401, {
      message: 'This service requires signed requests: sign in with an access key ID and secret as well.',
    })
  return signedFetch({ ...signing, region, service, now: platformNow })
}

/** Query parameters with a default in the contract, such as an API version. */
export const defaultQuery = ({ operation }: Found) =>
  Object.fromEntries(
    (operation.parameters as Parameter[]).flatMap(({ name, in: where, required, schema }) =>
      where === 'query' && required && schema.default !== undefined ? [[name, String(schema.default)]] : [],
    ),
  ) as Readonly<Record<string, string>>

/** Converts an operation of the catalogue for the client. */
function toContract({ operation: { method, path, body } }: Found): ContractOperation {
  const [type = ''] = body?.mediaTypes ?? []
  const isMultipart = type === 'multipart/form-data'
  const isText = /json$/.test(type) || type === 'application/x-www-form-urlencoded'
  const kind = isMultipart ? 'multipart' : body && !isText ? 'bytes' : undefined
  return {
    ...{ method, path, bodyTypes: [type], replies: {} },
    ...(kind && { body: { 'x-icosa-body': { is: kind, types: body?.mediaTypes } } }),
  } as unknown as ContractOperation
}

export interface Answer {
  readonly status: number
  /** JSON, text or bytes. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

export interface Sender {
  readonly service: string
  readonly tenant: string
}

async function read(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  const headers = Object.fromEntries(response.headers)
  if (response.ok && /octet-stream|zip|gzip/.test(type))
    return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) }
  const text = await response.text()
  const body = /json/.test(type) && text !== '' ? JSON.parse(text) : text
  if (!response.ok) throw new Problem(response.status, body)
  return { status: response.status, headers, body }
}

/** A file as the operation accepts it: perhaps not by its own media type. */
function accepted({ operation }: Found, body: unknown): unknown {
  const types = operation.body?.mediaTypes ?? []
  const { mediaType, content } = Object(body)
  const isAccepted = /\*|multipart/.test(types[0] ?? '') || types.includes(mediaType)
  if (!(content instanceof Uint8Array) || isAccepted) return body
  return { ...Object(body), mediaType: types[0] }
}

/** Calls an operation. Throws a `Problem` on an error status. */
export async function send(
  found: Found,
  { service, tenant }: Sender,
  { params = {}, query, headers, body }: Parts,
): Promise<Answer> {
  const target = {
    baseUrl: baseUrl(service),
    headers: credentialHeaders(found.api, tenant),
    query: defaultQuery(found),
    fetch: fetchFor(found.api),
  }
  const parts = {
    params,
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body !== undefined && { body: accepted(found, body) }),
  }
  return read(await request(toContract(found), target, parts))
}

interface Repeated {
  readonly method: string
  /** Path and query. */
  readonly address: string
  readonly body: string | undefined
  readonly request: { readonly headers: Readonly<Record<string, string>> }
}

/** Repeats a recorded request with this page's credential. */
export async function resend(
  api: Api,
  tenant: string,
  { method, address, body, request: seen }: Repeated,
): Promise<Answer> {
  const type = seen.headers['content-type']
  const headers = { ...credentialHeaders(api, tenant), ...(type !== undefined && { 'content-type': type }) }
  return read(await fetchFor(api)(location.origin + address, { method, headers, ...(body !== undefined && { body }) }))
}

/** Follows a link to the next page of a list, on this node only. */
export async function follow(found: Found, { service, tenant }: Sender, link: string): Promise<Answer> {
  const url = new URL(link, `${baseUrl(service)}/`)
  const path = url.pathname.startsWith(`/${service}/`) ? url.pathname : `/${service}${url.pathname}`
  const headers = credentialHeaders(found.api, tenant)
  return read(await fetchFor(found.api)(location.origin + path + url.search, { headers }))
}
