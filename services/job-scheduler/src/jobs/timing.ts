import { isDeepStrictEqual } from 'node:util'
import { readMoment } from '../recurrence/moment.ts'
import { next } from '../recurrence/next.ts'
import type { Definition, JobRow, JobState, Timing } from './job.ts'

/** Where the hours of a schedule are: where its owner says, else at the offset in which the start was written. */
function zoneOf({ recurrence, startTime }: Timing['definition']): string {
  return recurrence?.timeZone ?? (startTime && readMoment(startTime, 'startTime').offset) ?? 'UTC'
}

/** The occurrence that follows a moment; undefined if there is none. */
export function following(
  { definition, startsAt }: Pick<Timing, 'definition' | 'startsAt'>,
  after: Date,
): Date | undefined {
  const { recurrence } = definition
  return recurrence && next(after, recurrence, startsAt, zoneOf(definition))
}

/** What of a job its schedule decides. */
export interface Scheduled {
  readonly state: JobState
  readonly startsAt: Date
  readonly nextExecutionAt: Date | null
  readonly occurrenceCount: number
}

/**
 * When a job that is written now happens next. One that has happened for the last time stays as it is until its schedule
 * changes, so that the same PUT can be sent again and again.
 */
export function scheduled(
  definition: Definition,
  asked: JobState | undefined,
  old: JobRow | undefined,
  now: Date,
): Scheduled {
  const { startTime } = definition
  const startsAt = startTime === undefined ? (old?.startsAt ?? now) : readMoment(startTime, 'startTime').instant
  const same =
    old !== undefined &&
    startsAt.getTime() === old.startsAt.getTime() &&
    isDeepStrictEqual(definition.recurrence, old.definition.recurrence)
  if (same && isOver(old.state)) return asItIs(old)
  const state = asked ?? (old?.state === 'Disabled' ? 'Disabled' : 'Enabled')
  const occurrenceCount = same ? old.occurrenceCount : 0
  if (state !== 'Enabled') return { state, startsAt, nextExecutionAt: null, occurrenceCount }
  if (same && old.state === 'Enabled') return asItIs(old)
  const isNew = startTime === undefined && old === undefined
  const nextExecutionAt = first({ definition, startsAt, occurrenceCount }, isNew, now)
  return { state: nextExecutionAt ? state : 'Completed', startsAt, nextExecutionAt, occurrenceCount }
}

const asItIs = ({ state, startsAt, nextExecutionAt, occurrenceCount }: JobRow): Scheduled => ({
  state,
  startsAt,
  nextExecutionAt,
  occurrenceCount,
})

const isOver = (state: JobState) => state === 'Completed' || state === 'Faulted'

/** What lies in the past is not made up for; but what happens once, or has no start, happens at once. */
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
