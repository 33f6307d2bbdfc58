import { type ZipEntry, zip } from '@icosa/functions/zip'
import { suggestion, UsageError } from '@icosa/module'
import type { Callable, Tenant } from '../testkit/types.ts'

/** A service as the platform's catalogue describes it. */
export interface ServiceCatalogue {
  readonly name: string
  readonly title: string
  readonly apis: readonly ApiCatalogue[]
}

interface ApiCatalogue {
  readonly name?: string
  readonly at: string
  readonly operations: readonly DescribedOperation[]
  readonly schemas: Readonly<Record<string, unknown>>
}

interface DescribedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly mediaTypes: readonly string[]; readonly schema: unknown }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
}

export interface Call {
  readonly service: string
  readonly operation: string
  /** Of path, query and header, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** Text files, sent as a zip. */
  readonly files?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly requestId: string | null
  readonly body: unknown
}

/** Reads JSON from the platform. */
export async function ask<T>(tenant: Tenant, path: string): Promise<T> {
  const response = await tenant.fetch('platform', path)
  const text = await response.text()
  if (!response.ok) throw new UsageError(`GET /platform${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

export async function catalogueOf(tenant: Tenant, service: string): Promise<ServiceCatalogue> {
  tenant.service(service as Callable) // refuses unknown names, with a suggestion
  return ask(tenant, `/catalogue/${encodeURIComponent(service)}`)
}

export function operationIn(catalogue: ServiceCatalogue, id: string) {
  for (const api of catalogue.apis)
    for (const operation of api.operations) if (operation.id === id) return { api, operation }
  const names = catalogue.apis.flatMap(({ operations }) => operations.map((one) => one.id))
  throw new UsageError(`${catalogue.name} has no operation '${id}'.${suggestion(id, names)}`)
}

/** Sends a request of an operation, with the credentials of the tenant. */
export async function callOperation(tenant: Tenant, call: Call, signal: AbortSignal): Promise<Answer> {
  const { service, parameters = {}, body, files } = call
  const { api, operation } = operationIn(await catalogueOf(tenant, service), call.operation)
  checkParameters(operation, parameters)
  const used = (where: Parameter['in']) =>
    operation.parameters.flatMap(({ name, in: place }): [string, string][] =>
      place === where && parameters[name] !== undefined ? [[name, String(parameters[name])]] : [],
    )
  const values = new Map(used('path'))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const query = String(new URLSearchParams(used('query')))
  const payload = payloadOf(operation, body, files)
  const response = await tenant
    .service(service as Callable, api.name)
    .fetch(path.slice(api.at.length) + (query && `?${query}`), {
      method: operation.method,
      headers: { ...Object.fromEntries(used('header')), ...payload?.headers },
      ...(payload && { body: payload.body }),
      redirect: 'manual',
      signal,
    })
  return { status: response.status, requestId: response.headers.get('x-request-id'), body: await read(response) }
}

function checkParameters({ id, parameters }: DescribedOperation, sent: Readonly<Record<string, unknown>>): void {
  const names = parameters.map(({ name }) => name)
  for (const name of Object.keys(sent))
    if (!names.includes(name))
      throw new UsageError(
        `${id} has no parameter '${name}'.${suggestion(name, names)} It has: ${names.join(', ') || 'none'}.`,
      )
  for (const { name, required } of parameters)
    if (required && (sent[name] === undefined || sent[name] === ''))
      throw new UsageError(`${id} requires the parameter '${name}'.`)
}

function payloadOf({ id, body: described }: DescribedOperation, body: unknown, files: Call['files']) {
  if (body === undefined && files === undefined) return undefined
  if (!described) throw new UsageError(`${id} takes no body.`)
  if (body !== undefined && files !== undefined) throw new UsageError('Send either `body` or `files`.')
  const [type = 'application/json'] = described.mediaTypes
  const headers = { 'content-type': files ? 'application/zip' : type }
  if (files === undefined) return { headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const entries = Object.entries(files).map(([path, content]): ZipEntry => ({ path, content }))
  return { headers, body: new Uint8Array(zip(entries)) }
}

const maxText = 100_000

async function read(response: Response): Promise<unknown> {
  const bytes = await response.bytes()
  const type = response.headers.get('content-type') ?? ''
  if (bytes.length === 0) return undefined
  if (!/json|text|xml|javascript/.test(type)) return `${bytes.length} bytes of ${type || 'an unknown type'}`
  const text = new TextDecoder().decode(bytes)
  if (text.length > maxText) return `${text.slice(0, maxText)} … (${text.length} characters)`
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
