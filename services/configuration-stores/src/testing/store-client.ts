import { createHmac } from 'node:crypto'
import { contentHash, stringToSign } from '../data-plane/authentication/signature.ts'
import { contentHashHeaders, dateHeaders } from '../names.ts'

export interface AccessKey {
  readonly id: string
  /** In base64. */
  readonly value: string
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Claimed time of signing. */
  readonly at?: Date
  /** Modifies the request after signing. */
  readonly tamper?: (request: { url: string; headers: Record<string, string>; body: string | undefined }) => void
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect any response
  readonly body: any
}

/** Data-plane client that signs every request with an access key. */
export function storeClient(endpoint: string, key: AccessKey, version = '1.0') {
  async function send(method: string, path: string, sending: Sending = {}): Promise<Received> {
    const target = `${path}${path.includes('?') ? '&' : '?'}api-version=${version}`
    const body = sending.body === undefined ? undefined : JSON.stringify(sending.body)
    const request = { url: endpoint + target, headers: signed(method, endpoint + target, body, sending.at), body }
    Object.assign(request.headers, body !== undefined && { 'content-type': 'application/json' }, sending.headers)
    sending.tamper?.(request)
    return receive(
      fetch(request.url, { method, headers: request.headers, ...(request.body && { body: request.body }) }),
    )
  }

  function signed(method: string, address: string, body = '', at = new Date()): Record<string, string> {
    const { pathname, search, host } = new URL(address)
    const date = at.toUTCString()
    const hash = contentHash(body)
    const text = stringToSign(method, pathname + search, [date, host, hash])
    const signature = createHmac('sha256', Buffer.from(key.value, 'base64')).update(text).digest('base64')
    const names = `${dateHeaders[0]};host;${contentHashHeaders[0]}`
    return {
      [dateHeaders[0]]: date,
      [contentHashHeaders[0]]: hash,
      authorization: `HMAC-SHA256 Credential=${key.id}&SignedHeaders=${names}&Signature=${signature}`,
    }
  }

  return {
    signed,
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, headers && { headers }),
    put: (path: string, body: unknown = {}, headers?: Record<string, string>) =>
      send('PUT', path, { body, ...(headers && { headers }) }),
    delete: (path: string, headers?: Record<string, string>) => send('DELETE', path, headers && { headers }),
    /** Returns all items of a list and the size of each page, following links. */
    async all(path: string, headers?: Record<string, string>) {
      const pages: Received[] = []
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: Received = await send(
          'GET',
          next.replace(/[?&]api-version=[^&]*/, '?').replace('?&', '?'),
          headers && { headers },
        )
        pages.push(page)
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      return { items: pages.flatMap(({ body }) => body.items), pages: pages.map(({ body }) => body.items.length) }
    },
  }
}
export type StoreClient = ReturnType<typeof storeClient>

export async function receive(pending: Promise<Response>): Promise<Received> {
  const response = await pending
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
