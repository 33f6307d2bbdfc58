import { createSecureContext, type SecureContext } from 'node:tls'
import { Failure, type GuardedFetch, type OutboundRequest, type OutboundResponse } from '@icosa/kernel'
import { addressGuard } from './address.ts'
import { ACCEPTED_CODINGS } from './body.ts'
import { exchange } from './exchange.ts'
import type { Hop } from './redirect.ts'
import { checkedResolver } from './resolve.ts'
import { outboundUrl } from './url.ts'

export interface GuardedFetchOptions {
  /** CIDR ranges allowed although not public, such as ['127.0.0.0/8'] on a laptop. */
  readonly allow?: readonly string[]
  /** Default: 5. */
  readonly maxRedirects?: number
  /** For the whole exchange: DNS, redirects and body. Default: 30 seconds. */
  readonly timeoutMs?: number
  /** For the response body, before and after decoding. Default: 10 MiB. */
  readonly maxBytes?: number
  /** DNS servers, `host:port`. Default: the system's. */
  readonly nameServers?: readonly string[]
}

/** Fetch with an SSRF guard: a name is resolved once, checked and pinned; redirects are checked again. */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch & { close(): Promise<void> } {
  const resolve = checkedResolver(addressGuard(options.allow ?? []), options.nameServers)
  const pending = new Map<AbortController, Promise<OutboundResponse>>()
  let closed = false

  async function fetch(url: string | URL, request: OutboundRequest = {}): Promise<OutboundResponse> {
    if (closed) throw shuttingDown()
    const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? 30_000
    const first = firstHop(url, request)
    const ending = new AbortController()
    const cancel = () => ending.abort(request.signal?.reason)
    if (request.signal?.aborted) cancel()
    request.signal?.addEventListener('abort', cancel, { once: true })
    const timer = setTimeout(() => ending.abort(timedOut(first.url.host, timeoutMs)), timeoutMs)
    const response = exchange(first, resolve, {
      redirects: request.redirect === 'manual' ? 'none' : (options.maxRedirects ?? 5),
      maxBytes: request.maxBytes ?? options.maxBytes ?? 10 * 1024 * 1024,
      timeoutMs,
      signal: ending.signal,
    })
    pending.set(ending, response)
    try {
      return await response
    } finally {
      pending.delete(ending)
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', cancel)
    }
  }

  /** Aborts pending requests and refuses new ones. */
  async function close(): Promise<void> {
    closed = true
    for (const ending of pending.keys()) ending.abort(shuttingDown())
    await Promise.allSettled(pending.values())
  }

  return Object.assign(fetch, { close })
}

function firstHop(url: string | URL, request: OutboundRequest): Hop {
  const { method = 'GET', headers = {}, body, clientCertificate } = request
  const allHeaders = new Headers({ 'user-agent': 'icosa', 'accept-encoding': ACCEPTED_CODINGS })
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'host') {
      throw new Failure('invalid', 'The Host header comes from the address to fetch: leave it out.')
    }
    try {
      allHeaders.set(name, value)
    } catch (cause) {
      throw new Failure('invalid', `The header '${name}' cannot be sent: it contains a forbidden character.`, { cause })
    }
  }
  const target = outboundUrl(String(url))
  const secureContext = clientCertificate && certified(target, clientCertificate)
  return { url: target, method, headers: allHeaders, body, secureContext }
}

function timedOut(host: string, timeoutMs: number): Failure {
  return new Failure('unavailable', `'${host}' did not answer completely within ${timeoutMs} ms: try again later.`)
}

function shuttingDown(): Failure {
  return new Failure('unavailable', 'The server is shutting down: try again in a moment.')
}

/** TLS context with a client certificate. Authorities in the file are trusted on this connection as well. */
function certified(url: URL, { pfx, passphrase }: NonNullable<OutboundRequest['clientCertificate']>): SecureContext {
  if (url.protocol !== 'https:') {
    throw new Failure(
      'invalid',
      `A client certificate cannot be sent to '${url.host}' without TLS: write https instead of http.`,
    )
  }
  try {
    return createSecureContext({ pfx: Buffer.from(pfx), passphrase })
  } catch (cause) {
    throw new Failure(
      'invalid',
      `The client certificate for '${url.host}' cannot be opened: check its passphrase, and that it is a PKCS#12 ` +
        'file with a certificate and its key in modern ciphers.',
      { cause },
    )
  }
}
