import type { SecureContext } from 'node:tls'
import { outboundUrl } from './url.ts'

/** One request of an exchange: the first, or after a redirect. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | Uint8Array | undefined
  /** With the caller's certificate, if any. */
  readonly secureContext: SecureContext | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Headers that are forwarded to another origin. All others are dropped, not only Authorization and Cookie: any custom
 * header may be a key or a signature.
 */
const FORWARDED = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'user-agent',
])

/** Returns the request after a redirect, or undefined if there is none. */
export function redirected(hop: Hop, status: number, location: string | null): Hop | undefined {
  if (!REDIRECTS.has(status) || location === null) return undefined
  // Headers are read as Latin-1, but servers that do not escape a location write it in UTF-8.
  const url = outboundUrl(Buffer.from(location, 'latin1').toString(), hop.url)
  const headers = new Headers(hop.headers)
  const isCrossOrigin = url.origin !== hop.url.origin
  if (isCrossOrigin) drop(headers, (name) => !FORWARDED.has(name))
  // A certificate identifies the caller, as keys do: it is dropped as well, even if a later redirect leads back.
  const secureContext = isCrossOrigin ? undefined : hop.secureContext
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
