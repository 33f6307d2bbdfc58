import type { Action } from '../actions/action.ts'
import type { Recurrence } from '../recurrence/recurrence.ts'

export const jobStates = ['Enabled', 'Disabled', 'Faulted', 'Completed'] as const
export type JobState = (typeof jobStates)[number]

/** Defined by the owner; without secrets. */
export interface Definition {
  readonly action: Action
  readonly recurrence?: Recurrence
  readonly startTime?: string
}

/** Determines when a job runs. */
export interface Timing {
  readonly definition: Pick<Definition, 'recurrence' | 'startTime'>
  readonly startsAt: Date
  readonly nextExecutionAt: Date | null
  /** Earlier occurrences are skipped. */
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
