import type { Action } from '../actions/action.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'

export const jobStates = ['Enabled', 'Disabled', 'Faulted', 'Completed'] as const
export type JobState = (typeof jobStates)[number]

/** What an owner writes, as it is kept and shown. */
export interface Definition {
  readonly action: Action
  readonly recurrence?: Recurrence
  readonly startTime?: string
}

/** What decides when a job happens. */
export interface Timing {
  readonly definition: Pick<Definition, 'recurrence' | 'startTime'>
  readonly startsAt: Date
  readonly nextExecutionAt: Date | null
  /** Occurrences before it do not happen. */
  readonly resumedAt: Date | null
  readonly occurrenceCount: number
  readonly madeUpFor: number
}

export interface JobRow extends Timing {
  readonly tenant: string
  readonly collectionId: string
  readonly id: string
  readonly name: string
  readonly definition: Definition
  readonly secrets: Buffer | null
  readonly state: JobState
  readonly collectionEnabled: boolean
  readonly executionCount: number
  readonly failureCount: number
  readonly faultedCount: number
  readonly lastExecutionAt: Date | null
}
