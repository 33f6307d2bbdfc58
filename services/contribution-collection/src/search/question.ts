import { invalid } from '@icosa/kernel'
import { isState, type State, states } from '../contributions/states.ts'
import type { Contributor } from '../dialect/caller.ts'
import type { Circle } from '../geo/geography.ts'
import { wordsOf } from '../text/words.ts'

/** Determines which non-public contributions are visible. */
export type Viewer = Pick<Contributor, 'user' | 'isTenant'>

/** Filters as sent. */
export interface FilterQuery {
  readonly assignment?: string
  readonly country?: string
  readonly createdBefore?: string
  readonly createdAfter?: string
  readonly createdDay?: string
  readonly createdMonth?: string
  readonly geohash?: string
  readonly hasLocation?: boolean
  readonly latLong?: string
  readonly radius?: number
  readonly mediaType?: string
  readonly ownedBy?: string
  readonly q?: string
  readonly urlWords?: string
  readonly user?: string
  readonly ids?: string
  readonly state?: string
}

/** Parsed filters, combined with "and". */
export interface Question {
  readonly assignment?: string | undefined
  readonly country?: string | undefined
  /** `from` is inclusive, `after` and `before` are exclusive. */
  readonly created: readonly { readonly from?: Date; readonly after?: Date; readonly before?: Date }[]
  readonly cells?: readonly string[] | undefined
  readonly hasLocation?: boolean | undefined
  readonly near?: Circle | undefined
  readonly mediaType?: string | undefined
  readonly owner?: string | undefined
  readonly words?: readonly string[] | undefined
  readonly urlWords?: string | undefined
  readonly author?: string | undefined
  readonly ids?: readonly string[] | undefined
  /** `public`: only public contributions. */
  readonly states: 'public' | readonly State[]
}

export const mediaTypes: readonly string[] = ['image', 'video', 'audio']
const defaultRadiusKm = 10
const listLimit = 200

const refuse = (name: keyof FilterQuery, message: string): never => invalid([{ at: `query/${name}`, message }])
const splitList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

export function questionOf(query: FilterQuery): Question {
  const { assignment, hasLocation, mediaType, ownedBy: owner, q, urlWords, user: author } = query
  if (mediaType !== undefined && !mediaTypes.includes(mediaType))
    refuse('mediaType', `must be one of ${mediaTypes.join(', ')}`)
  return {
    assignment,
    country: query.country === undefined ? undefined : countryOf(query.country),
    created: createdOf(query),
    cells: query.geohash === undefined ? undefined : cellsOf(query.geohash),
    hasLocation,
    near: nearOf(query),
    mediaType,
    owner,
    // A `q` without words does not filter.
    words: q === undefined ? undefined : wordsOf(q),
    urlWords,
    author,
    ids: query.ids === undefined ? undefined : idsOf(query.ids),
    states: query.state === undefined ? 'public' : statesOf(query.state),
  }
}

const countryOf = (text: string) =>
  /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : refuse('country', 'must be a two-letter code')

function createdOf({ createdBefore, createdAfter, createdDay, createdMonth }: FilterQuery): Question['created'] {
  return [
    ...(createdBefore === undefined ? [] : [{ before: momentOf(createdBefore, 'createdBefore') }]),
    ...(createdAfter === undefined ? [] : [{ after: momentOf(createdAfter, 'createdAfter') }]),
    ...(createdDay === undefined ? [] : [dayOf(createdDay)]),
    ...(createdMonth === undefined ? [] : [monthOf(createdMonth)]),
  ]
}

/** A date is its midnight in UTC. */
export function momentOf(text: string, name: string): Date {
  const date = new Date(text)
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/i.test(text)
  if (!isMoment || Number.isNaN(date.getTime()))
    invalid([{ at: `query/${name}`, message: 'must be a date, or a date and time with a time zone' }])
  return date
}

/** In UTC. */
function dayOf(text: string) {
  const from = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(from.getTime()) || from.toISOString().slice(0, 10) !== text) refuse('createdDay', 'must be a day')
  return { from, before: new Date(from.getTime() + 86_400_000) }
}

function monthOf(text: string) {
  const from = new Date(`${text}-01T00:00:00Z`)
  if (Number.isNaN(from.getTime())) refuse('createdMonth', 'must be a month, such as 2026-11')
  const before = new Date(from)
  before.setUTCMonth(before.getUTCMonth() + 1)
  return { from, before }
}

function cellsOf(text: string): string[] {
  const cells = [...new Set(splitList(text.toLowerCase()))]
  if (cells.length === 0 || cells.length > listLimit || !cells.every((cell) => /^[0-9b-hjkmnp-z]{1,12}$/.test(cell)))
    refuse('geohash', `must be up to ${listLimit} comma-separated geohashes of up to 12 characters`)
  // Cells inside another one are redundant.
  return cells.filter((cell) => !cells.some((other) => other !== cell && cell.startsWith(other)))
}

function nearOf({ latLong, radius }: FilterQuery): Circle | undefined {
  if (latLong === undefined) return radius === undefined ? undefined : refuse('radius', 'requires latLong')
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(latLong) ?? []
  const point = { latitude: Number(latitude), longitude: Number(longitude) }
  if (!(Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180))
    refuse('latLong', 'must be a comma-separated latitude and longitude, such as 51.5,-0.12')
  return { ...point, radiusKm: radius ?? defaultRadiusKm }
}

function idsOf(text: string): string[] {
  const ids = [...new Set(splitList(text))]
  if (ids.length > listLimit) refuse('ids', `must be at most ${listLimit} ids`)
  return ids
}

function statesOf(text: string): State[] {
  if (text === 'any') return Object.keys(states) as State[]
  const names = splitList(text)
  if (names.length === 0 || !names.every(isState))
    refuse('state', `must be any, or a comma-separated list of ${Object.keys(states).join(', ')}`)
  return names.filter(isState)
}
