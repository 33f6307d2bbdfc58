import type { Range } from '../question/request.ts'

/** A month such as 'd2026-11' or a year such as 'd2026', with its number of documents. The names are facets, as are days. */
export interface Period {
  readonly name: string
  readonly documents: number
}

/** Latest first. */
export interface Calendar {
  readonly months: readonly Period[]
  readonly years: readonly Period[]
}

const lastMs = Date.UTC(9999, 11, 31)
const clamped = (timeMs: number) => Math.min(Math.max(timeMs, 0), lastMs)
const timeOf = (timeMs: number) => new Date(clamped(timeMs)).toISOString()

export const dayOf = (timeMs: number): string => `d${timeOf(timeMs).slice(0, 10)}`
export const monthOf = (timeMs: number): string => `d${timeOf(timeMs).slice(0, 7)}`
export const yearOf = (timeMs: number): string => `d${timeOf(timeMs).slice(0, 4)}`
export const beginOf = (name: string): number => Date.parse(name.slice(1))

/** Adds up counts by year ('2026') and month ('2026-11'), which may repeat. */
export function calendarOf(counts: Iterable<readonly [period: string, documents: number]>): Calendar {
  const sums = new Map<string, number>()
  for (const [period, documents] of counts) sums.set(`d${period}`, (sums.get(`d${period}`) ?? 0) + documents)
  const all = Array.from(sums, ([name, documents]) => ({ name, documents })).sort((a, b) => (a.name > b.name ? -1 : 1))
  const isMonth = ({ name }: Period) => name.includes('-')
  return { months: all.filter(isMonth), years: all.filter((period) => !isMonth(period)) }
}

/** Maximum number of months of a year, or days of a month, since every name makes a search slower. */
const maxParts = 6

/** The periods that overlap a range. */
export function within({ min = 0, max = lastMs }: Range, { months, years }: Calendar): Calendar {
  const between = (all: readonly Period[], first: string, last: string) =>
    all.filter(({ name }) => name >= first && name <= last)
  return {
    months: between(months, monthOf(min), monthOf(max)),
    years: between(years, yearOf(min), yearOf(max)),
  }
}

/** The periods from one time to another, which the first and the last may exceed. */
export function periodsBetween(firstMs: number, lastMs: number): string[] {
  const [first, last] = [new Date(clamped(firstMs)), new Date(clamped(lastMs))]
  const [firstYear, lastYear] = [first.getUTCFullYear(), last.getUTCFullYear()]
  return Array.from({ length: lastYear - firstYear + 1 }, (_, nth) => {
    const year = firstYear + nth
    const from = year === firstYear ? first.getUTCMonth() : 0
    const to = year === lastYear ? last.getUTCMonth() : 11
    const months = Array.from({ length: to - from + 1 }, (_, month) => monthOf(Date.UTC(year, from + month)))
    return months.length > maxParts ? [yearOf(Date.UTC(year))] : months
  }).flat()
}

/** The latest periods with about this fraction of all documents; undefined if that is all periods. */
export function latestOf(calendar: Calendar, fraction: number, now: Date): string[] | undefined {
  const needed = fraction * documentsIn(calendar)
  const [years, months] = [upTo(needed, calendar.years), upTo(needed, calendar.months)]
  const [year, month] = [years?.at(-1), months?.at(-1)]
  if (!years || !year) return undefined
  const ofYear = months?.filter(({ name }) => name.startsWith(year.name)) ?? []
  if (!months || !month || ofYear.length > maxParts)
    return years.length === calendar.years.length ? undefined : namesOf(years)
  const missing = needed - (sum(months) - month.documents)
  const days = lastDaysOf(month.name, missing / month.documents, now)
  return [...namesOf([...years.slice(0, -1), ...ofYear.slice(0, -1)]), ...days]
}

const dayMs = 86_400_000

/** The last days of a month with about this fraction of its documents, including future days. */
function lastDaysOf(month: string, fraction: number, now: Date): string[] {
  const begin = new Date(beginOf(month))
  const length = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0)).getUTCDate()
  const passed = month === monthOf(now.getTime()) ? now.getUTCDate() : length
  const needed = Math.ceil(fraction * passed)
  if (needed > maxParts) return [month]
  const count = length - passed + needed
  return Array.from({ length: count }, (_, nth) => dayOf(begin.getTime() + (length - 1 - nth) * dayMs))
}

export const documentsIn = ({ years }: Calendar): number => sum(years)

const sum = (all: readonly Period[]) => all.reduce((total, { documents }) => total + documents, 0)

/** The first periods with this many documents in total; undefined if there are fewer. */
function upTo(needed: number, all: readonly Period[]): readonly Period[] | undefined {
  let missing = needed
  const end = all.findIndex(({ documents }) => {
    missing -= documents
    return missing <= 0
  })
  return end === -1 ? undefined : all.slice(0, end + 1)
}

const namesOf = (all: readonly Period[]) => all.map(({ name }) => name)
