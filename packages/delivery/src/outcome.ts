import { STATUS_CODES } from 'node:http'
import type { Failure, OutboundResponse } from '@icosa/kernel'

/** How an attempt ended, in words that the owner of the message reads. */
export interface Outcome {
  /** `refused`: another attempt would not help. `failed`: it may. */
  readonly result: 'delivered' | 'refused' | 'failed'
  readonly message: string
  /** The beginning of what the receiver answered, if it answered anything. */
  readonly answer?: string
  /** The receiver asks not to be tried again before. */
  readonly retryAfterMs?: number
}

/** For what ended on our side. */
export const ourFault: Outcome = { result: 'failed', message: 'Something went wrong on our side.' }
export const noWorker: Outcome = { result: 'refused', message: 'No worker could carry it out.' }

/** Errors of the sender that pass: a time-out, too early, too many. */
const passing: ReadonlySet<number> = new Set([408, 425, 429])
const answerBytes = 4_096
const maxPauseMs = 3_600_000

export function outcomeOf({ url, status, headers, body }: OutboundResponse, now: Date): Outcome {
  const reason = STATUS_CODES[status]
  const message = `${new URL(url).host} answered HTTP ${status}${reason ? ` ${reason}` : ''}.`
  // PostgreSQL keeps no NUL in text.
  const answer = new TextDecoder().decode(body.subarray(0, answerBytes)).replaceAll('\0', '\u{fffd}')
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
  return status >= 500 || passing.has(status) ? 'failed' : 'refused'
}

export function outcomeOfFailure({ kind, message, retryAfterSeconds: seconds }: Failure): Outcome {
  return {
    result: kind === 'invalid' || kind === 'forbidden' ? 'refused' : 'failed',
    message,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1_000 }),
  }
}

/** In seconds or as a date; undefined if it is neither. No receiver puts us off for ever. */
function retryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxPauseMs)
}
