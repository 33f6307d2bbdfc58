import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import type { RecurrenceInput, ScheduleInput } from './contract.ts'
import { readMoment } from './moment.ts'
import {
  type Frequency,
  frequencies,
  type MonthlyOccurrence,
  type Recurrence,
  type Schedule,
  weekDays,
} from './recurrence.ts'
import { zoneOf } from './zone.ts'

const maxInterval: Readonly<Record<Frequency, number>> = {
  Minute: 1_000,
  Hour: 1_000,
  Day: 548,
  Week: 78,
  Month: 18,
}

/** Parses a recurrence, and refuses impossible ones. */
export function readRecurrence(input: RecurrenceInput, at: string): Recurrence {
  if (input.frequency === undefined)
    invalid([{ at: `${at}/frequency`, message: `is required: ${frequencies.join(', ')}` }])
  const frequency = canonical(frequencies, input.frequency)
  const { interval = 1, count, endTime, schedule = {}, timeZone } = input
  if (interval > maxInterval[frequency])
    invalid([{ at: `${at}/interval`, message: `must be at most ${maxInterval[frequency]} with ${frequency}` }])
  if (timeZone !== undefined) checkZone(timeZone, `${at}/timeZone`)
  const parsed = readSchedule(schedule, frequency, `${at}/schedule`)
  return {
    frequency,
    interval,
    ...(count !== undefined && { count }),
    ...(endTime !== undefined && { endTime: readMoment(endTime, `${at}/endTime`).text }),
    ...(Object.keys(parsed).length > 0 && { schedule: parsed }),
    ...(timeZone !== undefined && { timeZone }),
  }
}

function readSchedule(input: ScheduleInput, frequency: Frequency, at: string): Schedule {
  const requiredFrequency = { weekDays: 'Week', monthDays: 'Month', monthlyOccurrences: 'Month' } as const
  for (const [name, only] of Object.entries(requiredFrequency)) {
    if ((input[name as keyof typeof requiredFrequency]?.length ?? 0) > 0 && frequency !== only)
      invalid([{ at: `${at}/${name}`, message: `can only be used with the frequency ${only}, not with ${frequency}` }])
  }
  if (input.monthDays?.includes(0)) invalid([{ at: `${at}/monthDays`, message: 'counts from 1, or from -1 backwards' }])
  const { minutes, hours, monthDays } = input
  return {
    ...(isNonEmpty(input.weekDays) && { weekDays: input.weekDays.map((day) => canonical(weekDays, day)) }),
    ...(isNonEmpty(hours) && { hours }),
    ...(isNonEmpty(minutes) && { minutes }),
    ...(isNonEmpty(monthDays) && { monthDays }),
    ...(isNonEmpty(input.monthlyOccurrences) && {
      monthlyOccurrences: input.monthlyOccurrences.map((occurrence) =>
        readOccurrence(occurrence, `${at}/monthlyOccurrences`),
      ),
    }),
  }
}

/** An empty list counts as omitted. */
const isNonEmpty = <T>(list: readonly T[] | undefined): list is T[] => list !== undefined && list.length > 0

function readOccurrence(
  { day, Occurrence }: NonNullable<ScheduleInput['monthlyOccurrences']>[number],
  at: string,
): MonthlyOccurrence {
  if (day === undefined) invalid([{ at: `${at}/day`, message: `is required: ${weekDays.join(', ')}` }])
  if (Occurrence === 0) invalid([{ at: `${at}/Occurrence`, message: 'counts from 1, or from -1 backwards' }])
  return { day: canonical(weekDays, day), ...(Occurrence !== undefined && { Occurrence }) }
}

function checkZone(timeZone: string, at: string): void {
  try {
    zoneOf(timeZone)
  } catch {
    invalid([{ at, message: 'is not a known time zone: use an IANA name such as Europe/Berlin' }])
  }
}
