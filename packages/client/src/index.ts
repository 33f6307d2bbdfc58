import { type BodyType, type Contract, fillPath, type Operation, type Reply, type Request } from '@icosa/contract'

export type Client<C extends Contract> = {
  readonly [Name in keyof C]: (request: Request<C[Name]>) => Promise<Reply<C[Name]> & { readonly headers: Headers }>
}

export interface Target {
  readonly baseUrl: string
  /** Sent with every request: credentials and what the dialect asks for. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
}

export class RequestFailed extends Error {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers

  constructor(operation: Operation, status: number, body: unknown, headers: Headers) {
    super(`${operation.method} ${operation.path} answered ${status}`)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A typed client of any contract, without generated code. */
export function client<C extends Contract>(contract: C, target: Target): Client<C> {
  const calls = Object.entries(contract).map(([name, operation]) => [
    name,
    (parts: Parts) => send(operation, target, parts),
  ])
  return Object.fromEntries(calls)
}

async function send(operation: Operation, target: Target, parts: Parts) {
  const response = await request(operation, target, parts)
  const body = await read(response)
  if (!(response.status in operation.replies))
    throw new RequestFailed(operation, response.status, body, response.headers)
  return { status: response.status, body, headers: response.headers }
}

/** The bare exchange, whatever the answer. */
export function request(operation: Operation, target: Target, parts: Parts): Promise<Response> {
  const { params = {}, query, headers, body } = parts
  const url = new URL(target.baseUrl + fillPath(operation.path, params))
  for (const [name, value] of Object.entries({ ...target.query, ...query })) {
    for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one))
  }
  const sent = body === undefined ? undefined : encode(body, operation.bodyTypes?.[0])
  return (target.fetch ?? fetch)(url, {
    method: operation.method,
    headers: { ...target.headers, ...sent?.headers, ...headers },
    redirect: 'manual', // a redirection is an answer of the operation
    ...(sent && { body: sent.body }),
  })
}

function encode(body: unknown, type: BodyType = 'application/json') {
  if (type === 'application/json') return { headers: { 'content-type': type }, body: JSON.stringify(body) }
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries(Object(body))) {
    for (const one of [value].flat()) if (one !== undefined) form.append(name, String(one))
  }
  return { headers: {}, body: form } // fetch writes the type, with its boundary
}

/** JSON as a value, text as text, anything else as bytes. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length === 0) return undefined // the answer to a HEAD says the type of what it does not hold
  if (/^application\/([\w.+-]+\+)?json/.test(type)) return JSON.parse(new TextDecoder().decode(bytes))
  return type.startsWith('text/') ? new TextDecoder().decode(bytes) : bytes
}
