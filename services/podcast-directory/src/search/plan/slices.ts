import { beginOf, type Calendar, documentsIn, latestOf, periodsBetween, within } from '../index/calendar.ts'
import { shelvesOf } from '../index/shelf.ts'
import type { SearchRequest } from '../question/request.ts'
import { type Statistics, shareOfTitles, upperBoundByAnyFacet } from './estimate.ts'
import { type AnyOf, type Condition, onAny, type Where, wordsOnly } from './tsquery.ts'

/** A part of a request. Its other conditions are checked on the rows. */
export interface Slice {
  readonly anyOf: AnyOf
  readonly beforeMs?: number | undefined
  readonly expected: number
}

export interface Cutting {
  readonly request: SearchRequest
  readonly known: Statistics
  readonly now: Date
  /** Of when the documents of some shelves are. */
  readonly datesOf: (shelves: readonly string[]) => Calendar
  /** So many documents of a shelf should fit. */
  readonly expectedOn: (shelf: string) => number
  /** So many are needed. */
  readonly need: number
}

/** A request, cut so that all of a slice comes before all of the next: by title, shelf and date; or by date alone. */
export function cut({ request, known, now, datesOf, expectedOn, need }: Cutting): Slice[] {
  const shelves = shelvesOf(known.tenantNumber, request.kind)
  const slicesOf = (some: readonly string[], where: Where, expected: number) => {
    const calendar = datesOf(some)
    const condition = rareIn(request, known, calendar)
    const range = rangeIn(request, calendar, now)
    const dates = within(request.ranges.publishedMs ?? {}, calendar)
    const parts: Part[] = isByDate(request) ? latestFirst(dates, expected, need, now) : [{ expected }]
    return parts.map(({ latest, ...rest }): Slice => {
      const part = dated(condition, latest === undefined ? range : [latest])
      return { anyOf: onAny(some, part, where), ...rest }
    })
  }
  if (request.order === 'date') {
    const expected = shelves.reduce((sum, shelf) => sum + expectedOn(shelf), 0)
    return slicesOf(shelves, 'anywhere', expected)
  }
  const onEach = (where: Where, share: number) =>
    shelves.flatMap((shelf) => slicesOf([shelf], where, expectedOn(shelf) * share))
  if (!titleFirst(request)) return onEach('anywhere', 1)
  const inTitle = shareOfTitles(request, known)
  return [...onEach('title', inTitle), ...onEach('elsewhere', 1 - inTitle)]
}

/** Whether those with all words in the title come before the others. */
export const titleFirst = ({ order, fields, question }: SearchRequest): boolean =>
  order === 'relevance' && fields.length > 1 && fields.includes('title') && question.required.length > 0

/** Whether documents that come first are also the latest ones. A podcast's place on its shelf is its score. */
const isByDate = ({ kind, order }: SearchRequest) => kind === 'episode' || (kind === 'podcast' && order === 'date')

interface Part {
  /** The periods that it is of; otherwise all that were requested. */
  readonly latest?: readonly string[]
  readonly beforeMs?: number | undefined
  readonly expected: number
}

/** So many times what is needed is looked for in the latest periods, then in more of them. */
const steps = [1.5, 5, 20] as const

/** Instead of all: the latest periods that should be enough, more of them if they are not, and then the rest. */
function latestFirst(dates: Calendar, expected: number, need: number, now: Date): Part[] {
  const parts: Part[] = []
  let left = expected
  let beforeMs: number | undefined
  for (const step of steps) {
    const latest = expected > 1.5 * step * need ? latestOf(dates, (step * need) / expected, now) : undefined
    const last = latest?.at(-1)
    if (latest === undefined || last === undefined) break
    parts.push({ latest, beforeMs, expected: step * need - (expected - left) })
    left = expected - step * need
    beforeMs = beginOf(last)
  }
  return [...parts, { beforeMs, expected: left }]
}

/** The index is asked for what not even so many of all are; rows say of the others what they are. */
const seldom = 1 / 3

/** The conditions of a request that are worth asking the index about. */
export const inIndex = (request: SearchRequest, known: Statistics, calendar: Calendar, now: Date): Condition =>
  dated(rareIn(request, known, calendar), rangeIn(request, calendar, now))

function rareIn(request: SearchRequest, known: Statistics, calendar: Calendar): Condition {
  const all = documentsIn(calendar)
  const isRare = (facets: readonly string[]) => upperBoundByAnyFacet(facets, known) < seldom * all
  const facets = request.question.required.length === 0 ? request.facets : request.facets.filter(isRare)
  return { ...wordsOnly(request), facets }
}

const dated = (condition: Condition, periods: Condition['facets']): Condition => ({
  ...condition,
  facets: [...condition.facets, ...periods],
})

const yearMs = 366 * 86_400_000

/** A range of dates is also one of months. */
function rangeIn({ kind, ranges }: SearchRequest, calendar: Calendar, now: Date): string[][] {
  const { min, max } = ranges.publishedMs ?? {}
  if (min === undefined || kind === 'list') return []
  if (documentsIn(within({ min, max }, calendar)) > seldom * documentsIn(calendar)) return []
  const endMs = now.getTime() + yearMs // nothing is published later than a few days from now
  return [periodsBetween(min, Math.max(min, max ?? endMs))]
}
