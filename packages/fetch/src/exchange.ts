import { Failure, type OutboundResponse } from '@icosa/kernel'
import { readBody, tooLarge } from './body.ts'
import { type Hop, redirected } from './redirect.ts'
import type { Resolve } from './resolve.ts'

export interface Limits {
  /** Maximum number of redirects, or `none` to return the first one. */
  readonly redirects: number | 'none'
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Sends a request and follows its redirects. Every hop is checked like the first. */
export async function exchange(first: Hop, resolve: Resolve, limits: Limits): Promise<OutboundResponse> {
  let hop = first
  for (let followed = 0; ; followed++) {
    const response = await send(hop, resolve, limits)
    if (!('next' in response)) return response
    if (followed === limits.redirects) {
      throw new Failure('unavailable', `'${hop.url.host}' exceeded the limit of ${followed} redirects.`)
    }
    hop = response.next
  }
}

async function send(hop: Hop, resolve: Resolve, limits: Limits): Promise<OutboundResponse | { readonly next: Hop }> {
  limits.signal.throwIfAborted()
  const addresses = await resolve(hop.url, limits.signal)
  const { pinnedClient } = await import('./pinned-client.ts') // lazy: many nodes send no requests
  const client = pinnedClient(hop.url, { addresses, ...limits, secureContext: hop.secureContext })
  try {
    const { statusCode: status, ...response } = await client.request({
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: Object.fromEntries(hop.headers),
      body: hop.body ?? null,
      signal: limits.signal,
      // Announces that the connection will not be reused.
      reset: true,
    })
    const headers = headersOf(response.headers)
    const next = limits.redirects === 'none' ? undefined : redirected(hop, status, headers.get('location'))
    if (next !== undefined) return { next }
    const isHead = hop.method === 'HEAD'
    const body = await readBody(response.body, isHead ? null : headers.get('content-encoding'), limits.maxBytes)
    // These describe the encoded body.
    if (!isHead) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    return { status, url: hop.url.href, headers, body }
  } catch (error) {
    throw explained(error, hop.url, limits)
  } finally {
    await client.destroy()
  }
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(raw)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}

function explained(cause: unknown, { host }: URL, { signal, maxBytes }: Limits): unknown {
  if (signal.aborted) return signal.reason
  if (cause instanceof Failure) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
  switch (code) {
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return tooLarge(maxBytes)
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new Failure('tooLarge', `The response headers of '${host}' are too large.`, { cause })
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return new Failure('invalid', `The request to '${host}' cannot be sent: check its headers.`, { cause })
    default:
      return new Failure('unavailable', `Fetching from '${host}' failed (${code}): try again later.`, { cause })
  }
}
