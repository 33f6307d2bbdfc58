import { STATUS_CODES } from 'node:http'
import type { GuardedFetch, OutboundRequest } from '@icosa/kernel'
import type { Authentication, HttpRequest } from './action.ts'
import type { Occasion, Outcome } from './perform.ts'

/** An answer is read for the history only, so a long one is not worth waiting for. */
const answerLimit = 1024 * 1024
const shownBytes = 4_096

interface Sending {
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export async function sendRequest(
  { uri, method, headers, body, authentication }: HttpRequest,
  { executionId, expectedAt }: Occasion,
  { fetch, signal, timeoutMs }: Sending,
): Promise<Outcome> {
  const { headers: proof, ...shown } = proofOf(authentication)
  const answer = await fetch(uri, {
    method,
    headers: {
      ...headers,
      ...proof,
      'Icosa-Execution-Id': executionId,
      'Icosa-Expected-Time': expectedAt.toISOString(),
    },
    ...shown,
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
    signal,
    timeoutMs,
    maxBytes: answerLimit,
  })
  const done = answer.status >= 200 && answer.status < 300
  return { done, message: described(new URL(answer.url).host, answer.status, answer.body) }
}

/** By which the receiver knows who sends. */
function proofOf(authentication?: Authentication): Pick<OutboundRequest, 'headers' | 'clientCertificate'> {
  if (authentication === undefined) return {}
  const { password = '' } = authentication
  if (authentication.type === 'Basic') {
    const both = Buffer.from(`${authentication.username}:${password}`)
    return { headers: { authorization: `Basic ${both.toString('base64')}` } }
  }
  const pfx = Buffer.from(authentication.pfx ?? '', 'base64')
  return { clientCertificate: { pfx, passphrase: password } }
}

function described(host: string, status: number, body: Uint8Array): string {
  const reason = STATUS_CODES[status]
  const said = `${host} answered HTTP ${status}${reason ? ` ${reason}` : ''}.`
  if (body.byteLength === 0) return said
  // PostgreSQL keeps no NUL in text.
  const text = new TextDecoder().decode(body.subarray(0, shownBytes)).replaceAll('\0', '\u{fffd}')
  return `${said} ${text}`
}
