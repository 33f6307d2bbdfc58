import { beginOf, type Calendar, documentsIn, latestOf, periodsBetween, within } from '../index/calendar.ts'
import { shelvesOf } from '../index/shelf.ts'
import type { SearchRequest } from '../question/request.ts'
import { type Statistics, titleFraction, upperBoundByAnyFacet } from './estimate.ts'
import { type AnyOf, type Condition, onAny, type Where, wordsOnly } from './tsquery.ts'

/** A part of a request. Other conditions are checked on the rows. */
export interface Slice {
  readonly anyOf: AnyOf
  readonly beforeMs?: number | undefined
  readonly expected: number
}

export interface Cutting {
  readonly request: SearchRequest
  readonly statistics: Statistics
  readonly now: Date
  /** Calendar of the documents on some shelves. */
  readonly datesOf: (shelves: readonly string[]) => Calendar
  /** Expected number of matches on a shelf. */
  readonly expectedOn: (shelf: string) => number
  /** Number of matches needed. */
  readonly need: number
}

/** Slices a request in result order: by title, shelf and date, or by date alone. */
export function cut({ request, statistics, now, datesOf, expectedOn, need }: Cutting): Slice[] {
  const shelves = shelvesOf(statistics.tenantNumber, request.kind)
  const slicesOf = (subset: readonly string[], where: Where, expected: number) => {
    const calendar = datesOf(subset)
    const condition = rareIn(request, statistics, calendar)
    const range = rangeIn(request, calendar, now)
    const dates = within(request.ranges.publishedMs ?? {}, calendar)
    const parts: Part[] = isByDate(request) ? latestFirst(dates, expected, need, now) : [{ expected }]
    return parts.map(({ latest, ...rest }): Slice => {
      const part = dated(condition, latest === undefined ? range : [latest])
      return { anyOf: onAny(subset, part, where), ...rest }
    })
  }
  if (request.order === 'date') {
    const expected = shelves.reduce((sum, shelf) => sum + expectedOn(shelf), 0)
    return slicesOf(shelves, 'anywhere', expected)
  }
  const onEach = (where: Where, fraction: number) =>
    shelves.flatMap((shelf) => slicesOf([shelf], where, expectedOn(shelf) * fraction))
  if (!titleFirst(request)) return onEach('anywhere', 1)
  const inTitle = titleFraction(request, statistics)
  return [...onEach('title', inTitle), ...onEach('elsewhere', 1 - inTitle)]
}

/** Whether documents with all words in the title come first. */
export const titleFirst = ({ order, fields, question }: SearchRequest): boolean =>
  order === 'relevance' && fields.length > 1 && fields.includes('title') && question.required.length > 0

/** Whether the first documents are also the latest ones. Podcasts are ordered by score. */
const isByDate = ({ kind, order }: SearchRequest) => kind === 'episode' || (kind === 'podcast' && order === 'date')

interface Part {
  /** Its periods; by default all that were requested. */
  readonly latest?: readonly string[]
  readonly beforeMs?: number | undefined
  readonly expected: number
}

/** Multiples of the needed number to expect in the latest periods, step by step. */
const steps = [1.5, 5, 20] as const

/** The latest periods that should be sufficient, then more of them, then the rest. */
function latestFirst(dates: Calendar, expected: number, need: number, now: Date): Part[] {
  const parts: Part[] = []
  let remaining = expected
  let beforeMs: number | undefined
  for (const step of steps) {
    const latest = expected > 1.5 * step * need ? latestOf(dates, (step * need) / expected, now) : undefined
    const last = latest?.at(-1)
    if (latest === undefined || last === undefined) break
    parts.push({ latest, beforeMs, expected: step * need - (expected - remaining) })
    remaining = expected - step * need
    beforeMs = beginOf(last)
  }
  return [...parts, { beforeMs, expected: remaining }]
}

/** The index is queried only for rarer conditions; others are checked on the rows. */
const maxIndexedFraction = 1 / 3

/** The conditions of a request that are worth an index query. */
export const inIndex = (request: SearchRequest, statistics: Statistics, calendar: Calendar, now: Date): Condition =>
  dated(rareIn(request, statistics, calendar), rangeIn(request, calendar, now))

function rareIn(request: SearchRequest, statistics: Statistics, calendar: Calendar): Condition {
  const all = documentsIn(calendar)
  const isRare = (facets: readonly string[]) => upperBoundByAnyFacet(facets, statistics) < maxIndexedFraction * all
  const facets = request.question.required.length === 0 ? request.facets : request.facets.filter(isRare)
  return { ...wordsOnly(request), facets }
}

const dated = (condition: Condition, periods: Condition['facets']): Condition => ({
  ...condition,
  facets: [...condition.facets, ...periods],
})

const yearMs = 366 * 86_400_000

/** A date range as periods. */
function rangeIn({ kind, ranges }: SearchRequest, calendar: Calendar, now: Date): string[][] {
  const { min, max } = ranges.publishedMs ?? {}
  if (min === undefined || kind === 'list') return []
  if (documentsIn(within({ min, max }, calendar)) > maxIndexedFraction * documentsIn(calendar)) return []
  const endMs = now.getTime() + yearMs // nothing is published later than a few days from now
  return [periodsBetween(min, Math.max(min, max ?? endMs))]
}
