import {
  type BodyType,
  type Bytes,
  bodyKind,
  type Contract,
  fillPath,
  type Operation,
  type Reply,
  type Request,
  type Upload,
} from '@icosa/contract'

export type Client<C extends Contract> = {
  readonly [Name in keyof C]: (request: Request<C[Name]>) => Promise<Reply<C[Name]> & { readonly headers: Headers }>
}

export interface Target {
  readonly baseUrl: string
  /** Sent with every request: credentials and the dialect's headers. */
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

/** Typed client for any contract, without generated code. */
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

/** Sends a request and returns the raw response, whatever its status. */
export async function request(operation: Operation, target: Target, parts: Parts): Promise<Response> {
  const { params = {}, query, headers, body } = parts
  const url = new URL(target.baseUrl + fillPath(operation.path, params))
  for (const [name, value] of Object.entries({ ...target.query, ...query })) {
    for (const item of [value].flat()) if (item !== undefined) url.searchParams.append(name, String(item))
  }
  const encoded = body === undefined ? undefined : await encode(body, operation)
  return (target.fetch ?? fetch)(url, {
    method: operation.method,
    headers: { ...target.headers, ...encoded?.headers, ...headers },
    redirect: 'manual', // a redirect is a reply of the operation
    ...(encoded && { body: encoded.body, duplex: 'half' }),
  })
}

interface Encoded {
  readonly headers: Readonly<Record<string, string>>
  readonly body: NonNullable<RequestInit['body']>
}

function encode(body: unknown, { body: schema, bodyTypes }: Operation): Encoded | Promise<Encoded> {
  switch (bodyKind(schema)?.is) {
    case 'bytes':
    case 'stream':
      return encodeRaw(body as Bytes | Upload)
    case 'multipart':
      return encodeParts(body)
    default:
      return encodeFields(body, bodyTypes?.[0])
  }
}

function encodeFields(body: unknown, type: BodyType = 'application/json'): Encoded {
  if (type === 'application/json') return { headers: { 'content-type': type }, body: JSON.stringify(body) }
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  for (const [name, value] of entriesOf(body)) form.append(name, String(value))
  return { headers: {}, body: form } // fetch sets the type, with its boundary
}

/** Streams are sent chunked; Blobs have a length. */
function encodeRaw(body: Bytes | Upload): Encoded {
  const headers = { 'content-type': body.mediaType }
  if ('content' in body) return { headers, body: body.content as Uint8Array<ArrayBuffer> }
  return { headers, body: body instanceof BlobUpload ? body.blob : streamOf(body) }
}

/** `ReadableStream.from`, which not every browser has. */
function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}

/** Files of a FormData must be Blobs: others are read into memory first. */
async function encodeParts(body: unknown): Promise<Encoded> {
  const form = new FormData()
  for (const [name, value] of entriesOf(body)) {
    if (isFile(value)) form.append(name, await blobOf(value), value.fileName ?? name)
    else form.append(name, String(value))
  }
  return { headers: {}, body: form }
}

const isFile = (value: unknown): value is Bytes | Upload =>
  typeof value === 'object' && value !== null && 'mediaType' in value

async function blobOf(file: Bytes | Upload): Promise<Blob> {
  const options = { type: file.mediaType }
  if ('content' in file) return new Blob([file.content as Uint8Array<ArrayBuffer>], options)
  if (file instanceof BlobUpload) return file.blob
  return new Response(streamOf(file)).blob().then((whole) => whole.slice(0, whole.size, file.mediaType))
}

/** Flattens lists and omits undefined values. */
const entriesOf = (body: unknown) =>
  Object.entries(Object(body)).flatMap(([name, value]) =>
    [value].flat().flatMap((item) => (item === undefined ? [] : [[name, item] as const])),
  )

class BlobUpload implements Upload {
  readonly blob: Blob
  readonly fileName: string | undefined

  constructor(blob: Blob, fileName: string | undefined) {
    this.blob = blob
    this.fileName = fileName
  }

  get mediaType() {
    return this.blob.type
  }

  get size() {
    return this.blob.size
  }

  async *[Symbol.asyncIterator]() {
    yield* this.blob.stream()
  }
}

/** Content to send: a Blob (`fs.openAsBlob` creates one from a file), or an async iterable of bytes. */
export function upload(content: Blob | AsyncIterable<Uint8Array>, mediaType: string, fileName?: string): Upload {
  if (content instanceof Blob) return new BlobUpload(content.slice(0, content.size, mediaType), fileName)
  return { mediaType, size: undefined, fileName, [Symbol.asyncIterator]: () => content[Symbol.asyncIterator]() }
}

/** JSON as a value, text as a string, anything else as bytes. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length === 0) return undefined // the reply to HEAD has a type but no body
  if (/^application\/([\w.+-]+\+)?json/.test(type)) return JSON.parse(new TextDecoder().decode(bytes))
  return type.startsWith('text/') ? new TextDecoder().decode(bytes) : bytes
}
