import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Exchange } from '@icosa/kernel'
import { libraryCookies } from './host-cookies.ts'

/**
 * A request as the library wants to read it: at the library's own path, with the body still to come. The platform has
 * read the body already, and its own request must stay as it is.
 */
export class ReplayedRequest extends Readable {
  readonly method: string | undefined
  readonly url: string
  /** From which the library learns under which path it is mounted. */
  readonly originalUrl: string
  readonly headers: IncomingMessage['headers']
  readonly socket: IncomingMessage['socket']
  readonly httpVersionMajor: number
  /** The `Cookie` header, as it was sent. */
  readonly sentCookies: string
  /** Where the caller came from, in the address: a tenant's own token endpoint, if it was one. */
  readonly tenant: string | undefined

  constructor({ request, body, url }: Exchange, { path, tenant, mount, method = request.method }: MountedTarget) {
    super({ read() {} })
    this.method = method
    this.url = path
    this.originalUrl = mount + path
    const bytes = method === 'GET' || !body ? new Uint8Array() : body
    this.sentCookies = request.headers.cookie ?? ''
    const cookie = url.protocol === 'https:' ? libraryCookies(this.sentCookies, path) : this.sentCookies
    // The host that callers know: addresses in answers are made from it.
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
  /** The path under which the library is mounted. */
  readonly mount: string
  readonly tenant?: string | undefined
  readonly method?: string | undefined
}

export type RequestTarget = Omit<MountedTarget, 'mount'>

/** A form as the same request with a query, for which the library is made. */
export function asQuery({ body = new Uint8Array() }: Exchange, path: string): RequestTarget {
  return { path: `${path}?${Buffer.from(body)}`, method: 'GET' }
}

/** The library knows its callers by Node's type, of which it uses only what a replayed request has. */
export const asRequest = (replayed: ReplayedRequest) => replayed as unknown as IncomingMessage
