import type { Subject } from '../events/event.ts'
import type { Speech } from '../speech/synthesize.ts'

export type CallState = 'waiting' | 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed'

/** A message and the state of its delivery. */
export interface Call extends Subject {
  readonly speech: Speech
  readonly state: CallState
  /** Number of attempts, including the current one. */
  readonly attempts: number
  readonly events: number
}
