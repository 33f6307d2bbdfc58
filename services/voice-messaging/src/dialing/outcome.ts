import type { Call } from '../calls/call.ts'
import type { CallEnd } from '../lines/line.ts'
import type { Step } from './record.ts'

const eventAndState = {
  completed: ['COMPLETED_CALL', 'completed'],
  busy: ['BUSY', 'busy'],
  noAnswer: ['NO_ANSWER', 'no_answer'],
  failed: ['FAILED', 'failed'],
} as const

/** Converts the end of an attempt to its last step: retryable ends schedule another attempt, one for each pause. */
export function lastStep(
  call: Call,
  { attempt, number }: { readonly attempt: number; readonly number: number },
  end: CallEnd,
  at: Date,
  { retrySeconds }: { readonly retrySeconds: readonly number[] },
): Step {
  const [type, state] = eventAndState[end.kind]
  const isOver = end.kind === 'completed' || (end.kind === 'failed' && end.final)
  const pause = isOver ? undefined : retrySeconds[attempt - 1]
  const details = end.kind === 'completed' ? { seconds: end.seconds, endedBy: end.endedBy } : { reason: end.reason }
  const event = { type, at, attempt, isFinal: pause === undefined, ...details }
  if (pause === undefined) return { call, number, event, state }
  return { call, number, event, state: 'waiting', retryAt: new Date(at.getTime() + pause * 1_000) }
}
