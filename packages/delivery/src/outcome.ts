import { STATUS_CODES } from 'node:http'
import type { Failure, OutboundResponse } from '@icosa/kernel'

/** Result of an attempt, with a message for the owner. */
export interface Outcome {
  /** `refused`: a retry is pointless. `failed`: it may help. */
  readonly result: 'delivered' | 'refused' | 'failed'
  readonly message: string
  /** Beginning of the receiver's response, if any. */
  readonly answer?: string
  /** Requested by the receiver (Retry-After). */
  readonly retryAfterMs?: number
}

/** For internal errors. */
export const ourFault: Outcome = { result: 'failed', message: 'Something went wrong on our side.' }
export const noWorker: Outcome = { result: 'refused', message: 'No worker could run it.' }

/** Transient client errors: timeout, too early, too many requests. */
const transient: ReadonlySet<number> = new Set([408, 425, 429])
const maxAnswerBytes = 4_096
const maxPauseMs = 3_600_000

export function outcomeOf({ url, status, headers, body }: OutboundResponse, now: Date): Outcome {
  const reason = STATUS_CODES[status]
  const message = `${new URL(url).host} answered HTTP ${status}${reason ? ` ${reason}` : ''}.`
  // PostgreSQL cannot store NUL in text.
  const answer = new TextDecoder().decode(body.subarray(0, maxAnswerBytes)).replaceAll('\0', '\u{fffd}')
  const retryAfterMs = retryAfter(headers.get('retry-after'), now)
  return {
    result: resultOf(status),
    message,
    ...(answer && { answer }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function resultOf(status: number): Outcome['result'] {
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 500 || transient.has(status) ? 'failed' : 'refused'
}

export function outcomeOfFailure({ kind, message, retryAfterSeconds: seconds }: Failure): Outcome {
  return {
    result: kind === 'invalid' || kind === 'forbidden' ? 'refused' : 'failed',
    message,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
  }
}

/** Parses Retry-After: seconds or a date; undefined if invalid. Capped, so that no receiver delays us forever. */
function retryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxPauseMs)
}
