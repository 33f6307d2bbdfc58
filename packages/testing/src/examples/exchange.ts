import type { Target } from '@icosa/client'

/** A request and its reply. Files are described: `<67 bytes of image/png>`. */
export interface Exchange {
  readonly request: {
    readonly method: string
    /** Below the service's path, with the query. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

/** Where `icosa dev` listens. */
const documentedOrigin = 'http://127.0.0.1:4000'

/** Returns a `fetch` that records every exchange. */
export function observing({ baseUrl, fetch: send = fetch }: Target, exchanges: Exchange[]): typeof fetch {
  const { origin } = new URL(baseUrl)
  return async (input, init) => {
    const type = typeOf(init)
    const sent = sentIn(init?.body, type)
    const response = await send(input, init)
    const body = await contentOf(response.clone(), origin)
    const headers = Object.entries(Object.fromEntries(response.headers))
    exchanges.push({
      request: {
        method: init?.method ?? 'GET',
        path: String(input).slice(baseUrl.length),
        headers: { ...Object.fromEntries(new Headers(init?.headers)), ...(type && { 'content-type': type }) },
        ...(sent !== undefined && { body: sent }),
      },
      reply: {
        status: response.status,
        headers: Object.fromEntries(headers.map(([name, value]) => [name, value.replace(origin, documentedOrigin)])),
        ...(body !== undefined && { body }),
      },
    })
    return response
  }
}

/** Forms get their type from fetch. */
function typeOf({ headers, body }: RequestInit = {}): string {
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded'
  return body instanceof FormData ? 'multipart/form-data' : (new Headers(headers).get('content-type') ?? '')
}

function sentIn(body: RequestInit['body'], type: string): unknown {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return JSON.parse(body)
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  if (body instanceof FormData) {
    const parts = [...body].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : described(value.size, value.type),
    ])
    return Object.fromEntries(parts)
  }
  if (body instanceof Uint8Array)
    return /^text\/|json$/.test(type) ? String(Buffer.from(body)) : described(body.length, type)
  return described(body instanceof Blob ? body.size : 0, type)
}

const described = (size: number, type: string) => `<${size || 'some'} bytes of ${type}>`

async function contentOf(response: Response, origin: string): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await response.arrayBuffer())
  if (bytes.length === 0) return undefined
  const text = bytes.toString().replaceAll(origin, documentedOrigin)
  if (/^application\/([\w.+-]+\+)?json/.test(type)) return JSON.parse(text)
  return type.startsWith('text/') ? text : described(bytes.length, type)
}
