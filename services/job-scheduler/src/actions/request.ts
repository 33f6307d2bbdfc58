import { STATUS_CODES } from 'node:http'
import type { GuardedFetch } from '@icosa/kernel'
import type { HttpRequest } from './action.ts'
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
  const basic = authentication && `${authentication.username}:${authentication.password ?? ''}`
  const answer = await fetch(uri, {
    method,
    headers: {
      ...headers,
      ...(basic !== undefined && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      'Icosa-Execution-Id': executionId,
      'Icosa-Expected-Time': expectedAt.toISOString(),
    },
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body }),
    signal,
    timeoutMs,
    maxBytes: answerLimit,
  })
  const done = answer.status >= 200 && answer.status < 300
  return { done, message: described(new URL(answer.url).host, answer.status, answer.body) }
}

function described(host: string, status: number, body: Uint8Array): string {
  const reason = STATUS_CODES[status]
  const said = `${host} answered HTTP ${status}${reason ? ` ${reason}` : ''}.`
  if (body.byteLength === 0) return said
  // PostgreSQL keeps no NUL in text.
  const text = new TextDecoder().decode(body.subarray(0, shownBytes)).replaceAll('\0', '\u{fffd}')
  return `${said} ${text}`
}
