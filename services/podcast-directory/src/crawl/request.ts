import { Failure, type GuardedFetch, type OutboundResponse } from '@icosa/kernel'
import { backoffMs } from './pace.ts'
import type { Visit } from './visits/visit.ts'

/** How a request ended. */
export type Outcome =
  | { readonly kind: 'read'; readonly response: OutboundResponse }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'redirected'; readonly to: string; readonly permanent: boolean }
  /** `lasting`: retrying is useless. `backoffMs`: pause requested by the host. */
  | { readonly kind: 'failed'; readonly reason: string; readonly lasting: boolean; readonly backoffMs?: number }

export interface RequestOptions {
  readonly fetch: GuardedFetch
  readonly now: Date
  readonly signal: AbortSignal
  readonly userAgent: string
  readonly timeoutMs: number
  readonly accept: string
  readonly maxBytes: number
}

const maxHops = 5

/** Makes one request. A redirect becomes another visit, since it may lead to another host. */
export async function request(visit: Visit, options: RequestOptions): Promise<Outcome> {
  const { fetch, now, signal, userAgent, timeoutMs, accept, maxBytes } = options
  try {
    const response = await fetch(visit.url, {
      headers: {
        'user-agent': userAgent,
        accept,
        ...(visit.etag !== null && { 'if-none-match': visit.etag }),
        ...(visit.lastModified !== null && { 'if-modified-since': visit.lastModified }),
      },
      redirect: 'manual',
      timeoutMs,
      maxBytes,
      signal,
    })
    return outcomeOf(visit, response, now)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return failed(error.message, error.kind !== 'unavailable')
  }
}

function outcomeOf(visit: Visit, response: OutboundResponse, now: Date): Outcome {
  const { status, headers } = response
  if (status === 304 && (visit.etag ?? visit.lastModified) !== null) return { kind: 'unchanged' }
  if (status >= 200 && status < 300) return { kind: 'read', response }
  const location = headers.get('location')
  if (status > 300 && status < 400 && location !== null) return redirected(visit, status, location)
  if (status === 429 || (status === 503 && headers.has('retry-after')))
    return {
      ...failed(`The host responded with ${status}.`, false),
      backoffMs: backoffMs(headers.get('retry-after'), now),
    }
  return failed(`The host responded with ${status}.`, [401, 403, 404, 410].includes(status))
}

function redirected({ url, hops }: Visit, status: number, location: string): Outcome {
  // Headers are decoded as Latin-1, but servers that do not escape a location send UTF-8.
  const to = URL.parse(Buffer.from(location, 'latin1').toString(), url)
  if (!to || !/^https?:$/.test(to.protocol)) return failed('The host redirects to an invalid URL.', true)
  if (hops >= maxHops) return failed(`The URL redirects more than ${maxHops} times.`, true)
  to.hash = ''
  return { kind: 'redirected', to: to.href, permanent: status === 301 || status === 308 }
}

const failed = (reason: string, lasting: boolean) => ({ kind: 'failed' as const, reason, lasting })
