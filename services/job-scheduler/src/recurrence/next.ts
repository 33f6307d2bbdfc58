import { type Day, dayOf, daysOfMonth, daysOfWeek, monthOf, weekOf } from './days.ts'
import type { Recurrence, Schedule } from './recurrence.ts'
import { type LocalMs, type Zone, zoneOf } from './zone.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Maximum number of periods without an occurrence: enough for 29 February, and an end for 30 February. */
const maxEmptyPeriods = 4_000
const lastMs = Date.UTC(9999, 11, 31)

/** Returns the first occurrence after `after` and not before `startTime`; undefined if there is none. */
export function next(after: Date, recurrence: Recurrence, startTime: Date, timeZone: string): Date | undefined {
  const periods = periodsOf(recurrence, startTime.getTime(), zoneOf(timeZone))
  const end = recurrence.endTime === undefined ? lastMs : Math.min(new Date(recurrence.endTime).getTime(), lastMs)
  const earliest = Math.max(after.getTime() + 1, startTime.getTime())
  const from = Math.max(0, Math.floor(periods.indexOf(earliest) / recurrence.interval) - 1)
  for (let period = from; period < from + maxEmptyPeriods; period++) {
    const occurrence = firstFrom(earliest, periods.occurrences(period * recurrence.interval))
    if (occurrence !== undefined) return occurrence <= end ? new Date(occurrence) : undefined
  }
  return undefined
}

function firstFrom(earliest: number, instants: readonly number[]): number | undefined {
  let first: number | undefined
  for (const instant of instants) if (instant >= earliest && (first === undefined || instant < first)) first = instant
  return first
}

/** Minutes, hours, days, weeks or months, counted from the one that contains the start. */
interface Periods {
  indexOf(instant: number): number
  occurrences(index: number): readonly number[]
}

function periodsOf({ frequency, schedule = {} }: Recurrence, start: number, zone: Zone): Periods {
  switch (frequency) {
    case 'Minute':
      return minutes(start, schedule, zone)
    case 'Hour':
      return hours(start, schedule, zone)
    default:
      return calendarPeriods(frequency, start, schedule, zone)
  }
}

const has = (list: readonly number[] | undefined, value: number) => list === undefined || list.includes(value)
const sinceDay = (local: LocalMs) => local - dayOf(local) * dayMs
const sinceHour = (local: LocalMs) => sinceDay(local) % hourMs
const hourOfDay = (local: LocalMs) => Math.floor(sinceDay(local) / hourMs)
const minuteOfHour = (local: LocalMs) => Math.floor(sinceHour(local) / minuteMs)

/** Elapsed minutes, regardless of DST changes, filtered by the schedule. */
function minutes(start: number, schedule: Schedule, zone: Zone): Periods {
  return {
    indexOf: (instant) => Math.floor((instant - start) / minuteMs),
    occurrences(index) {
      const instant = start + index * minuteMs
      const local = zone.toLocal(instant)
      return has(schedule.hours, hourOfDay(local)) && has(schedule.minutes, minuteOfHour(local)) ? [instant] : []
    },
  }
}

/** Elapsed hours, in each of which the schedule's minutes occur. */
function hours(start: number, schedule: Schedule, zone: Zone): Periods {
  const firstHour = start - sinceHour(zone.toLocal(start))
  return {
    indexOf: (instant) => Math.floor((instant - firstHour) / hourMs),
    occurrences(index) {
      const instant = start + index * hourMs
      const local = zone.toLocal(instant)
      if (!has(schedule.hours, hourOfDay(local))) return []
      if (!schedule.minutes) return [instant]
      return schedule.minutes.map((minute) => instant - sinceHour(local) + minute * minuteMs)
    },
  }
}

/** Calendar days, weeks and months, in local time across DST changes. */
function calendarPeriods(frequency: 'Day' | 'Week' | 'Month', start: number, schedule: Schedule, zone: Zone): Periods {
  const startLocal = zone.toLocal(start)
  const startDay = dayOf(startLocal)
  const times = timesOfDay(startLocal, schedule)
  const numberOf: (day: Day) => number = { Day: (day: Day) => day, Week: weekOf, Month: monthOf }[frequency]
  const first = numberOf(startDay)
  const daysOf = (period: number): Day[] => {
    if (frequency === 'Day') return [period]
    return frequency === 'Week' ? daysOfWeek(period, startDay, schedule) : daysOfMonth(period, startDay, schedule)
  }
  return {
    indexOf: (instant) => numberOf(dayOf(zone.toLocal(instant))) - first,
    occurrences: (index) =>
      daysOf(first + index).flatMap((day) => times.map((time) => zone.toInstant(day * dayMs + time))),
  }
}

/** Hours without minutes use those of the start; minutes without hours apply to every hour. */
function timesOfDay(startLocal: LocalMs, { hours: ofDay, minutes: ofHour }: Schedule): number[] {
  if (!ofDay && !ofHour) return [sinceDay(startLocal)]
  const inHour = ofHour?.map((minute) => minute * minuteMs) ?? [sinceHour(startLocal)]
  const hoursOfDay = ofDay ?? Array.from({ length: 24 }, (_, hour) => hour)
  return hoursOfDay.flatMap((hour) => inHour.map((time) => hour * hourMs + time))
}
