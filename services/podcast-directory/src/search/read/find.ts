import type { ReadingDb } from '@icosa/kernel'
import { calendarOf } from '../index/calendar.ts'
import { samplesFor } from '../index/sample.ts'
import { shelvesOf, tiers } from '../index/shelf.ts'
import { countedWords, type Statistics, upperBoundByFacets, upperBoundByWords } from '../plan/estimate.ts'
import { type Cutting, cut, inIndex, type Slice, titleFirst } from '../plan/slices.ts'
import { type Condition, onAny, scattered, tsqueryOf, wordsOnly } from '../plan/tsquery.ts'
import type { Found, SearchRequest } from '../question/request.ts'
import { inOrder, ranked } from './ranking.ts'
import * as store from './store.ts'

/** If no more than so many have the words, all are read and counted. */
const few = 1_000
/** The same if not even so many fit, and no more than so many have the words. */
const veryFew = 500
const maxCounted = 5_000
/** So many in a sample say how many there are, give or take a fifth. */
const enough = 20
/** A sample with so many is not exchanged for a denser one. */
const maxInSample = 250
/** What a sample has none of may still be there, if few. */
const missed = 0.5
/** Where a podcast counts once: so many rows are read at first, and so many at most where all are read. */
const rowsForPodcasts = 1_000
const maxRows = 20_000
const maxPageSize = 10

/** Finds a tenant's documents that fit a request. A request that only excludes finds nothing. */
export async function find(db: ReadingDb, tenant: string, request: SearchRequest, now: Date): Promise<Found> {
  const { question, facets, offset, limit } = request
  if (question.required.length === 0 && (facets.length === 0 || question.excluded.length > 0)) return nothing
  const known = await store.statistics(db, tenant, countedWords(request))
  if (!known) return nothing
  const { groups, others, total } = await read({ db, request, known, now })
  const ordered = await inOrder(db, tenant, request, known.tenantNumber, groups, now)
  return { hits: [...ordered, ...others].slice(offset, offset + limit), total }
}

const nothing: Found = { hits: [], total: 0 }

interface Reading {
  readonly db: ReadingDb
  readonly request: SearchRequest
  readonly known: Statistics
  readonly now: Date
}

type Candidates = readonly store.Candidate[]

interface First {
  /** The best group first. Who asks for another page gets the same groups. */
  readonly groups: readonly Candidates[]
  /** Those that come after all groups. */
  readonly others: Candidates
  /** Whether there are no more. */
  readonly isAll: boolean
}

interface Read extends Omit<First, 'isAll'> {
  readonly total: number
}

/** Counts and a sample say which way is short. All ways find the same. */
async function read(reading: Reading): Promise<Read> {
  const { request, known } = reading
  if (request.question.required.length === 0) {
    const each = upperBoundByFacets(request, known) / tiers.length
    const first = await readFirst(reading, await calendarsOf(reading), () => each)
    return { ...first, total: countOf(first) }
  }
  const [withWords, withFacets] = [upperBoundByWords(request, known), upperBoundByFacets(request, known)]
  if (withWords <= few) return readAll(reading, wordsOnly(request))
  const [datesOf, { oneIn, shelves }] = await Promise.all([calendarsOf(reading), sample(reading, withWords)])
  const found = oneIn * sum(shelves.map((shelf) => shelf.found))
  if (found < enough * oneIn) return readAll(reading, wordsOnly(request))
  const fitting = oneIn * sum(shelves.map((shelf) => shelf.fitting))
  if ((fitting < veryFew && found * costOf(request) < maxCounted) || withFacets <= few) {
    const calendar = datesOf(shelvesOf(known.tenantNumber, request.kind))
    return readAll(reading, inIndex(request, known, calendar, reading.now))
  }
  const sampledOn = new Map(shelves.map((one) => [one.shelf, one.fitting]))
  const expectedOn = (shelf: string) => oneIn * ((sampledOn.get(shelf) ?? 0) + missed)
  const first = await readFirst(reading, datesOf, expectedOn)
  const count = countOf(first)
  if (first.isAll) return { ...first, total: count }
  // For a podcast of which the sample has one, there are others of which it has none.
  const podcasts = sum(shelves.map((shelf) => shelf.podcasts + shelf.single * (Math.sqrt(oneIn) - 1)))
  const all = Math.min(request.onePerPodcast ? podcasts : fitting, withWords, withFacets)
  return { ...first, total: Math.max(rounded(all), count, endOf(request) + 1) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const countOf = ({ groups, others }: First) => sum(groups.map((group) => group.length)) + others.length
const endOf = ({ offset, limit }: SearchRequest) => offset + limit

/** Nobody knows how many fit a condition before rows are read; two in three is a guess that is soon put right. */
const shareOf = ({ facets, without, ranges }: SearchRequest): number =>
  (2 / 3) ** (facets.length + without.length + Object.keys(ranges).length)

/** The sparsest sample that has enough, or else the densest. */
async function sample({ db, request, known }: Reading, most: number) {
  const words = wordsOnly(request)
  let found: { readonly oneIn: number; readonly shelves: readonly store.Sampled[] } = { oneIn: 1, shelves: [] }
  for (const { shelf, oneIn } of samplesFor(known.tenantNumber, request.kind, most, shareOf(request))) {
    const tsquery = (condition: Condition) => tsqueryOf(shelf, condition, 'anywhere')
    found = { oneIn, shelves: await store.sampled(db, tsquery(scattered(words)), tsquery(words), request) }
    const count = (of: 'found' | 'fitting') => sum(found.shelves.map((one) => one[of]))
    if (count('fitting') >= enough || count('found') * costOf(request) > maxInSample) break
  }
  return found
}

/** What a row costs: where words must stand together, its words have to be read, too. */
const costOf = ({ question: { required, excluded } }: SearchRequest): number =>
  [...required, ...excluded].some(({ words }) => words.length > 1) ? 5 : 1

/** Two digits, so that one sees that it is an estimate. */
function rounded(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.round(count / step) * step
}

const orderOf = ({ order }: SearchRequest): store.Order => (order === 'date' ? 'date' : 'place')

/** Reads everything that fits, as far as the index is asked by a condition. Rows say the rest. */
async function readAll({ db, request, known }: Reading, condition: Condition): Promise<Read> {
  const shelves = shelvesOf(known.tenantNumber, request.kind)
  const all = onAny(shelves, condition, 'anywhere')
  const inTitle = titleFirst(request) ? onAny(shelves, wordsOnly(request), 'title') : undefined
  const limit = Math.max(endOf(request), request.onePerPodcast ? maxRows : ranked)
  const rows = await store.fewOf(db, all, inTitle, request, orderOf(request), limit)
  const group = request.onePerPodcast ? oncePerPodcast(rows) : rows
  return { groups: [group], others: [], total: request.onePerPodcast ? group.length : (rows[0]?.total ?? 0) }
}

async function calendarsOf({ db, request, known, now }: Reading): Promise<Cutting['datesOf']> {
  const counts = await store.periods(db, shelvesOf(known.tenantNumber, request.kind), now)
  return (shelves) => calendarOf(shelves.flatMap((shelf) => counts.get(shelf) ?? []))
}

/** Reads the first ones of those that are expected. */
async function readFirst(
  { db, request, known, now }: Reading,
  datesOf: Cutting['datesOf'],
  expectedOn: Cutting['expectedOn'],
): Promise<First> {
  const end = endOf(request)
  const isMore = (rows: Candidates) => rows.length > end // the one after the page says that there is another page
  const slicesFor = (need: number) => cut({ request, known, now, datesOf, expectedOn, need })
  if (!request.onePerPodcast) {
    // Pages that begin among the ranked ones are all cut from the same groups.
    const need = Math.max(end + 1, request.order === 'date' ? 0 : ranked + maxPageSize)
    const groups = await readSlices(db, slicesFor(need), request, need, isMore)
    return { groups, others: [], isAll: !isMore(groups.flat()) }
  }
  let groups: readonly Candidates[] | undefined
  for (let need = rowsForPodcasts; ; need *= 4) {
    const read = await readSlices(db, slicesFor(need), request, need, (rows) => isMore(oncePerPodcast(rows)))
    const rows = read.flat()
    const podcasts = oncePerPodcast(rows)
    const isAll = rows.length < need && !isMore(podcasts)
    groups ??= groupsOf(read)
    if (podcasts.length >= end || isAll) return { groups, others: podcasts.slice(groups.flat().length), isAll }
  }
}

/** Reads as many slices at a time as should be enough, each time a group, until there are enough or none is left. */
async function readSlices(
  db: ReadingDb,
  slices: readonly Slice[],
  request: SearchRequest,
  limit: number,
  isEnough: (rows: Candidates) => boolean,
): Promise<Candidates[]> {
  const groups: Candidates[] = []
  const left = [...slices]
  for (let missing = limit; left.length > 0 && missing > 0 && !isEnough(groups.flat()); ) {
    const some: Slice[] = []
    for (let expected = 0; left.length > 0 && expected < 1.5 * missing; ) {
      const slice = left.shift() as Slice
      some.push(slice)
      expected += slice.expected
    }
    const rows = await store.firstOf(db, some, request, orderOf(request), missing)
    groups.push(rows)
    missing -= rows.length
  }
  return groups
}

/** The first of each podcast, in the order given. */
function oncePerPodcast(rows: Candidates): Candidates {
  const seen = new Set<string>()
  return rows.filter(({ podcastId }) => !seen.has(podcastId) && seen.add(podcastId))
}

/** The first of each podcast, in the same groups. */
function groupsOf(groups: readonly Candidates[]): Candidates[] {
  const once = new Set(oncePerPodcast(groups.flat()))
  return groups.map((group) => group.filter((one) => once.has(one)))
}
