import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Exchange } from '@icosa/kernel'
import { libraryCookies } from './host-cookies.ts'

/**
 * A request for the library: at the library's own path, with an unread body. The platform has already read the body, and its
 * own request must not change.
 */
export class ReplayedRequest extends Readable {
  readonly method: string | undefined
  readonly url: string
  /** From which the library derives its mount path. */
  readonly originalUrl: string
  readonly headers: IncomingMessage['headers']
  readonly socket: IncomingMessage['socket']
  readonly httpVersionMajor: number
  /** The original `Cookie` header. */
  readonly sentCookies: string
  /** The tenant, if the request was sent to a tenant's token endpoint. */
  readonly tenant: string | undefined

  constructor({ request, body, url }: Exchange, { path, tenant, mount, method = request.method }: MountedTarget) {
    super({ read() {} })
    this.method = method
    this.url = path
    this.originalUrl = mount + path
    const bytes = method === 'GET' || !body ? new Uint8Array() : body
    this.sentCookies = request.headers.cookie ?? ''
    const cookie = url.protocol === 'https:' ? libraryCookies(this.sentCookies, path) : this.sentCookies
    // The public host, from which URLs in responses are built.
    this.headers = { ...request.headers, cookie, host: url.host, 'content-length': String(bytes.length) }
    this.socket = request.socket
    this.httpVersionMajor = request.httpVersionMajor
    this.tenant = tenant
    this.push(bytes)
    this.push(null)
  }
}

export interface MountedTarget {
  readonly path: string
  readonly mount: string
  readonly tenant?: string | undefined
  readonly method?: string | undefined
}

export type RequestTarget = Omit<MountedTarget, 'mount'>

/** Converts a form to a GET request, which the library expects. */
export function asQuery({ body = new Uint8Array() }: Exchange, path: string): RequestTarget {
  return { path: `${path}?${Buffer.from(body)}`, method: 'GET' }
}

/** The library uses only those properties of Node's type that a replayed request has. */
export const asRequest = (replayed: ReplayedRequest) => replayed as unknown as IncomingMessage
