import type { Range } from './wanted.ts'

/** A month such as 'd2026-11' or a year such as 'd2026', and how many documents are of it. Their names are facets. */
export interface Period {
  readonly name: string
  readonly documents: number
}

/** The latest first. */
export interface Calendar {
  readonly months: readonly Period[]
  readonly years: readonly Period[]
}

const lastMs = Date.UTC(9999, 11, 31)
const clamped = (timeMs: number) => Math.min(Math.max(timeMs, 0), lastMs)
const timeOf = (timeMs: number) => new Date(clamped(timeMs)).toISOString()

export const monthOf = (timeMs: number): string => `d${timeOf(timeMs).slice(0, 7)}`
export const yearOf = (timeMs: number): string => `d${timeOf(timeMs).slice(0, 4)}`
export const beginOf = (name: string): number => Date.parse(`${name.slice(1)}${name.includes('-') ? '' : '-01'}-01`)

/** Of months such as '2026-11' and years such as '2026', each with how many documents are of it; of a year, the others. */
export function calendarOf(counts: Iterable<readonly [period: string, documents: number]>): Calendar {
  const [months, years] = [new Map<string, number>(), new Map<string, number>()]
  const add = (all: Map<string, number>, name: string, count: number) => all.set(name, (all.get(name) ?? 0) + count)
  for (const [period, documents] of counts) {
    if (period.length > 4) add(months, `d${period}`, documents)
    add(years, `d${period.slice(0, 4)}`, documents)
  }
  return { months: latestFirst(months), years: latestFirst(years) }
}

const latestFirst = (all: ReadonlyMap<string, number>): Period[] =>
  Array.from(all, ([name, documents]) => ({ name, documents })).sort((a, b) => (a.name > b.name ? -1 : 1))

/** Longer lists of months become lists of years. */
const mostMonths = 24

/** That part of a calendar to which the documents of a range belong. Its first and last periods have others, too. */
export function within({ min = 0, max = lastMs }: Range, { months, years }: Calendar): Calendar {
  const between = (all: readonly Period[], first: string, last: string) =>
    all.filter(({ name }) => name >= first && name <= last)
  return {
    months: between(months, monthOf(min), monthOf(max)),
    years: between(years, yearOf(min), yearOf(max)),
  }
}

/** The periods from one time to another: months, or years if they would be many. */
export function periodsBetween(firstMs: number, lastMs: number): string[] {
  const [first, last] = [new Date(clamped(firstMs)), new Date(clamped(lastMs))]
  const years = last.getUTCFullYear() - first.getUTCFullYear()
  const months = 12 * years + last.getUTCMonth() - first.getUTCMonth()
  return months < mostMonths
    ? Array.from({ length: months + 1 }, (_, nth) =>
        monthOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + nth)),
      )
    : Array.from({ length: years + 1 }, (_, nth) => yearOf(Date.UTC(first.getUTCFullYear() + nth)))
}

/** The latest periods that hold a share of all documents; undefined if that is all of them. */
export function latestOf({ months, years }: Calendar, share: number): string[] | undefined {
  const wanted = share * documentsIn({ months, years })
  const some = upTo(wanted, months)
  if (some !== undefined && some.length <= mostMonths) return namesOf(some)
  const longer = upTo(wanted, years)
  return longer === undefined || longer.length === years.length ? undefined : namesOf(longer)
}

export const documentsIn = ({ years }: Calendar): number => years.reduce((sum, { documents }) => sum + documents, 0)

/** The first ones that have so many documents together; undefined if all have not. */
function upTo(wanted: number, all: readonly Period[]): readonly Period[] | undefined {
  let missing = wanted
  const end = all.findIndex(({ documents }) => {
    missing -= documents
    return missing <= 0
  })
  return end === -1 ? undefined : all.slice(0, end + 1)
}

const namesOf = (all: readonly Period[]) => all.map(({ name }) => name)
