import { type MonthlyOccurrence, type Schedule, weekDays } from './recurrence.ts'

const dayMs = 86_400_000

/** Days since 1970-01-01, local. */
export type Day = number

export const dayOf = (local: number): Day => Math.floor(local / dayMs)
export const weekDayOf = (day: Day) => (((day + 4) % 7) + 7) % 7 // 1970-01-01 was a Thursday
/** Weeks begin on Sunday. */
export const weekOf = (day: Day) => Math.floor((day + 4) / 7)
export const firstDayOfWeek = (week: number): Day => week * 7 - 4

/** Months since the year 0. */
export function monthOf(day: Day): number {
  const date = new Date(day * dayMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const firstDayOfMonth = (month: number): Day => Date.UTC(Math.floor(month / 12), month % 12) / dayMs
const daysIn = (month: number) => firstDayOfMonth(month + 1) - firstDayOfMonth(month)

/** Scheduled days of a week. */
export function daysOfWeek(week: number, start: Day, schedule: Schedule): Day[] {
  const days = schedule.weekDays?.map((name) => weekDays.indexOf(name)) ?? [weekDayOf(start)]
  return days.map((weekDay) => firstDayOfWeek(week) + weekDay)
}

/** Scheduled days of a month. */
export function daysOfMonth(month: number, start: Day, { monthDays, monthlyOccurrences }: Schedule): Day[] {
  const first = firstDayOfMonth(month)
  const length = daysIn(month)
  if (!monthDays && !monthlyOccurrences) {
    // A start on the 31st means the end of every month.
    const startDay = start - firstDayOfMonth(monthOf(start))
    return [first + Math.min(startDay, length - 1)]
  }
  const numbered = (monthDays ?? [])
    .map((number) => (number > 0 ? number - 1 : length + number))
    .filter((index) => index >= 0 && index < length)
  const counted = (monthlyOccurrences ?? []).flatMap((occurrence) => occurrences(first, length, occurrence))
  return [...numbered, ...counted].map((index) => first + index)
}

/** Indices from 0 of the days in a month that are its nth Friday, for instance. */
function occurrences(first: Day, length: number, { day, Occurrence: nth }: MonthlyOccurrence): number[] {
  const earliest = (weekDays.indexOf(day) - weekDayOf(first) + 7) % 7
  const all = Array.from({ length: Math.ceil((length - earliest) / 7) }, (_, week) => earliest + week * 7)
  if (nth === undefined) return all
  const index = nth > 0 ? nth - 1 : all.length + nth
  return index < 0 ? [] : all.slice(index, index + 1)
}
