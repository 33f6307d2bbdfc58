import type { Timing } from '../jobs/job.ts'
import { following } from '../jobs/timing.ts'

/** Executions and next time of a due job. */
export interface Plan {
  /** Due times, earliest first: each is a separate execution. */
  readonly times: readonly Date[]
  readonly nextExecutionAt: Date | null
  readonly occurrenceCount: number
  readonly madeUpFor: number
  /** Why occurrences were skipped, if some were. */
  readonly skipped?: string
}

/** Missed occurrences of a job that are executed before the rest are skipped. */
export const maxCatchUp = 10_000

/** Plans at most `max` executions due until `until`; the next plan continues after them. */
export function planOf(job: Timing, until: Date, max: number): Plan {
  const { count = Number.POSITIVE_INFINITY } = job.definition.recurrence ?? {}
  const nextAfter = (at: Date) => following(job, at) ?? null
  let { nextExecutionAt: at, occurrenceCount } = job
  let skipped: string | undefined
  if (at && job.resumedAt && at < job.resumedAt) {
    skipped = `Occurrences from ${at.toISOString()} on did not run: the job collection had been disabled.`
    at = nextAfter(new Date(job.resumedAt.getTime() - 1))
  }
  const times: Date[] = []
  while (at && at <= until && occurrenceCount < count && times.length < max) {
    times.push(at)
    occurrenceCount++
    at = nextAfter(at)
  }
  if (occurrenceCount >= count) at = null
  let madeUpFor = at && at <= until ? job.madeUpFor + times.length : 0
  if (at && madeUpFor >= maxCatchUp) {
    skipped = `Occurrences from ${at.toISOString()} on were skipped: ${madeUpFor} missed ones were executed.`
    at = nextAfter(until)
    madeUpFor = 0
  }
  return { times, nextExecutionAt: at, occurrenceCount, madeUpFor, ...(skipped !== undefined && { skipped }) }
}
