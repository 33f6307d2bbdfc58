import { isDeepStrictEqual } from 'node:util'
import { readMoment } from '../recurrence/moment.ts'
import { next } from '../recurrence/next.ts'
import type { Definition, JobRow, JobState, Timing } from './job.ts'

/** Time zone of a schedule; defaults to the UTC offset of the start time. */
function zoneOf({ recurrence, startTime }: Timing['definition']): string {
  return recurrence?.timeZone ?? (startTime && readMoment(startTime, 'startTime').offset) ?? 'UTC'
}

/** Returns the next occurrence after a time; undefined if there is none. */
export function following(
  { definition, startsAt }: Pick<Timing, 'definition' | 'startsAt'>,
  after: Date,
): Date | undefined {
  const { recurrence } = definition
  return recurrence && next(after, recurrence, startsAt, zoneOf(definition))
}

/** Columns determined by the schedule. */
export interface Scheduled {
  readonly state: JobState
  readonly startsAt: Date
  readonly nextExecutionAt: Date | null
  readonly occurrenceCount: number
}

/**
 * Returns when a written job runs next. A finished job stays finished until its schedule changes, so that a PUT can be
 * repeated.
 */
export function scheduled(
  definition: Definition,
  requestedState: JobState | undefined,
  old: JobRow | undefined,
  now: Date,
): Scheduled {
  const { startTime } = definition
  const startsAt = startTime === undefined ? (old?.startsAt ?? now) : readMoment(startTime, 'startTime').instant
  const isSameSchedule =
    old !== undefined &&
    startsAt.getTime() === old.startsAt.getTime() &&
    isDeepStrictEqual(definition.recurrence, old.definition.recurrence)
  if (isSameSchedule && isOver(old.state)) return unchanged(old)
  const state = requestedState ?? (old?.state === 'Disabled' ? 'Disabled' : 'Enabled')
  const occurrenceCount = isSameSchedule ? old.occurrenceCount : 0
  if (state !== 'Enabled') return { state, startsAt, nextExecutionAt: null, occurrenceCount }
  if (isSameSchedule && old.state === 'Enabled') return unchanged(old)
  const isNew = startTime === undefined && old === undefined
  const nextExecutionAt = first({ definition, startsAt, occurrenceCount }, isNew, now)
  return { state: nextExecutionAt ? state : 'Completed', startsAt, nextExecutionAt, occurrenceCount }
}

const unchanged = ({ state, startsAt, nextExecutionAt, occurrenceCount }: JobRow): Scheduled => ({
  state,
  startsAt,
  nextExecutionAt,
  occurrenceCount,
})

const isOver = (state: JobState) => state === 'Completed' || state === 'Faulted'

/** Past occurrences are skipped; overdue one-time jobs, and new ones without a start time, run immediately. */
function first(
  job: Pick<Timing, 'definition' | 'startsAt' | 'occurrenceCount'>,
  isNew: boolean,
  now: Date,
): Date | null {
  const { recurrence } = job.definition
  if (!recurrence) return job.startsAt > now ? job.startsAt : now
  const { count = Number.POSITIVE_INFINITY } = recurrence
  if (job.occurrenceCount >= count) return null
  return isNew ? now : (following(job, new Date(now.getTime() - 1)) ?? null)
}
