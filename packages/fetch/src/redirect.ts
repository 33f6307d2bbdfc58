import type { SecureContext } from 'node:tls'
import { outboundUrl } from './url.ts'

/** One request of an exchange: the first, or one that a redirect led to. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | Uint8Array | undefined
  /** With the caller's certificate, if it has one to show. */
  readonly secureContext: SecureContext | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Headers that follow to another origin. Everything else stays behind, not only Authorization and Cookie: any header
 * of the caller's own may be a key or a signature.
 */
const TRAVELLING = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'user-agent',
])

/** The request a redirect asks for, or undefined when the answer is not a redirect. */
export function redirected(hop: Hop, status: number, location: string | null): Hop | undefined {
  if (!REDIRECTS.has(status) || location === null) return undefined
  // Headers are read as Latin-1, but servers that do not escape a location write it in UTF-8.
  const url = outboundUrl(Buffer.from(location, 'latin1').toString(), hop.url)
  const headers = new Headers(hop.headers)
  const isElsewhere = url.origin !== hop.url.origin
  if (isElsewhere) drop(headers, (name) => !TRAVELLING.has(name))
  // A certificate says who the caller is, as keys do: it stays behind too, and no later redirect brings it back.
  const secureContext = isElsewhere ? undefined : hop.secureContext
  if (!becomesGet(hop.method, status)) return { ...hop, url, headers, secureContext }
  drop(headers, (name) => name.startsWith('content-'))
  return { url, headers, method: 'GET', body: undefined, secureContext }
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return method === 'POST' && (status === 301 || status === 302)
}

function drop(headers: Headers, unwanted: (name: string) => boolean): void {
  for (const name of [...headers.keys()].filter(unwanted)) headers.delete(name)
}
