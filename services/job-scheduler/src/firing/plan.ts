import type { Timing } from '../jobs/job.ts'
import { following } from '../jobs/timing.ts'

/** What becomes of a job whose time has come. */
export interface Plan {
  /** When it was to happen, the earliest first: each is an execution of its own. */
  readonly times: readonly Date[]
  readonly nextExecutionAt: Date | null
  readonly occurrenceCount: number
  readonly madeUpFor: number
  /** Why occurrences were left out, if some were. */
  readonly leftOut?: string
}

/** How many missed occurrences of a job are made up for before the rest are left out. */
export const madeUpForLimit = 10_000

/** Plans at most `most` executions of what is due until `until`; what is due beyond them comes with the next plan. */
export function planOf(job: Timing, until: Date, most: number): Plan {
  const { count = Number.POSITIVE_INFINITY } = job.definition.recurrence ?? {}
  const followed = (at: Date) => following(job, at) ?? null
  let { nextExecutionAt: at, occurrenceCount } = job
  let leftOut: string | undefined
  if (at && job.resumedAt && at < job.resumedAt) {
    leftOut = `Occurrences from ${at.toISOString()} on did not run: the job collection had been disabled.`
    at = followed(new Date(job.resumedAt.getTime() - 1))
  }
  const times: Date[] = []
  while (at && at <= until && occurrenceCount < count && times.length < most) {
    times.push(at)
    occurrenceCount++
    at = followed(at)
  }
  if (occurrenceCount >= count) at = null
  let madeUpFor = at && at <= until ? job.madeUpFor + times.length : 0
  if (at && madeUpFor >= madeUpForLimit) {
    leftOut = `Occurrences from ${at.toISOString()} on were skipped: ${madeUpFor} missed ones were made up for.`
    at = followed(until)
    madeUpFor = 0
  }
  return { times, nextExecutionAt: at, occurrenceCount, madeUpFor, ...(leftOut !== undefined && { leftOut }) }
}
