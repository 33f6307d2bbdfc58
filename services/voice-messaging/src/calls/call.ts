import type { Subject } from '../events/event.ts'
import type { Speech } from '../speech/synthesize.ts'

export type CallState = 'waiting' | 'initiated' | 'ringing' | 'answered' | 'completed' | 'busy' | 'no_answer' | 'failed'

/** A message on its way to somebody. */
export interface Call extends Subject {
  readonly speech: Speech
  readonly state: CallState
  /** How often it was tried, the attempt under way included. */
  readonly attempts: number
  readonly events: number
}
