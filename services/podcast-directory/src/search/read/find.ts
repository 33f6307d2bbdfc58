import type { ReadingDb } from '@icosa/kernel'
import { calendarOf } from '../index/calendar.ts'
import { samplesFor } from '../index/sample.ts'
import { shelvesOf, tiers } from '../index/shelf.ts'
import { countedWords, type Statistics, upperBoundByFacets, upperBoundByWords } from '../plan/estimate.ts'
import { type Cutting, cut, inIndex, type Slice, titleFirst } from '../plan/slices.ts'
import { type Condition, onAny, scattered, tsqueryOf, wordsOnly } from '../plan/tsquery.ts'
import type { SearchPage, SearchRequest } from '../question/request.ts'
import { inOrder, ranked } from './ranking.ts'
import * as store from './store.ts'

/** Up to this many documents with the words are all read and counted. */
const maxReadAll = 1_000
/** The same with fewer matches than the first, and fewer documents with the words than the second. */
const maxMatches = 500
const maxWithWords = 5_000
/** Sample size for an estimate within a fifth. */
const minSampled = 20
/** A larger sample is not replaced by a denser one. */
const maxInSample = 250
/** Assumed number of documents of a shelf that the sample missed. */
const missed = 0.5
/** With one episode per podcast: rows to read at first, and maximum when reading all. */
const rowsForPodcasts = 1_000
const maxRows = 20_000
const maxPageSize = 10

/** Finds a tenant's documents. A request with only exclusions matches nothing. */
export async function find(db: ReadingDb, tenant: string, request: SearchRequest, now: Date): Promise<SearchPage> {
  const { question, facets, offset, limit } = request
  if (question.required.length === 0 && (facets.length === 0 || question.excluded.length > 0)) return emptyPage
  const statistics = await store.statistics(db, tenant, countedWords(request))
  if (!statistics) return emptyPage
  const { groups, others, total } = await read({ db, request, statistics, now })
  const ordered = await inOrder(db, tenant, request, statistics.tenantNumber, groups, now)
  return { hits: [...ordered, ...others].slice(offset, offset + limit), total }
}

const emptyPage: SearchPage = { hits: [], total: 0 }

interface Reading {
  readonly db: ReadingDb
  readonly request: SearchRequest
  readonly statistics: Statistics
  readonly now: Date
}

type Candidates = readonly store.Candidate[]

interface First {
  /** Best group first, the same for every page. */
  readonly groups: readonly Candidates[]
  /** Candidates after all groups. */
  readonly others: Candidates
  /** Whether these are all. */
  readonly isAll: boolean
}

interface Result extends Omit<First, 'isAll'> {
  readonly total: number
}

/** Chooses the fastest strategy by counts and a sample. All strategies return the same. */
async function read(reading: Reading): Promise<Result> {
  const { request, statistics } = reading
  if (request.question.required.length === 0) {
    const each = upperBoundByFacets(request, statistics) / tiers.length
    const first = await readFirst(reading, await calendarsOf(reading), () => each)
    return { ...first, total: countOf(first) }
  }
  const [withWords, withFacets] = [upperBoundByWords(request, statistics), upperBoundByFacets(request, statistics)]
  if (withWords <= maxReadAll) return readAll(reading, wordsOnly(request))
  const [datesOf, { oneIn, shelves }] = await Promise.all([calendarsOf(reading), sample(reading, withWords)])
  const candidates = oneIn * sum(shelves.map((shelf) => shelf.candidates))
  if (candidates < minSampled * oneIn) return readAll(reading, wordsOnly(request))
  const matches = oneIn * sum(shelves.map((shelf) => shelf.matches))
  if ((matches < maxMatches && candidates * costOf(request) < maxWithWords) || withFacets <= maxReadAll) {
    const calendar = datesOf(shelvesOf(statistics.tenantNumber, request.kind))
    return readAll(reading, inIndex(request, statistics, calendar, reading.now))
  }
  const sampledOn = new Map(shelves.map(({ shelf, matches }) => [shelf, matches]))
  const expectedOn = (shelf: string) => oneIn * ((sampledOn.get(shelf) ?? 0) + missed)
  const first = await readFirst(reading, datesOf, expectedOn)
  const count = countOf(first)
  if (first.isAll) return { ...first, total: count }
  // Podcasts with a single sampled document indicate others with none.
  const podcasts = sum(shelves.map((shelf) => shelf.podcasts + shelf.single * (Math.sqrt(oneIn) - 1)))
  const all = Math.min(request.onePerPodcast ? podcasts : matches, withWords, withFacets)
  return { ...first, total: Math.max(roundEstimate(all), count, endOf(request) + 1) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const countOf = ({ groups, others }: First) => sum(groups.map((group) => group.length)) + others.length
const endOf = ({ offset, limit }: SearchRequest) => offset + limit

/** Guessed fraction of matches, two thirds per condition, until rows are read. */
const fractionOf = ({ facets, without, ranges }: SearchRequest): number =>
  (2 / 3) ** (facets.length + without.length + Object.keys(ranges).length)

/** The sparsest sufficient sample, or else the densest. */
async function sample({ db, request, statistics }: Reading, max: number) {
  const words = wordsOnly(request)
  let result: { readonly oneIn: number; readonly shelves: readonly store.Sampled[] } = { oneIn: 1, shelves: [] }
  for (const { shelf, oneIn } of samplesFor(statistics.tenantNumber, request.kind, max, fractionOf(request))) {
    const tsquery = (condition: Condition) => tsqueryOf(shelf, condition, 'anywhere')
    result = { oneIn, shelves: await store.sampled(db, tsquery(scattered(words)), tsquery(words), request) }
    const count = (of: 'candidates' | 'matches') => sum(result.shelves.map((shelf) => shelf[of]))
    if (count('matches') >= minSampled || count('candidates') * costOf(request) > maxInSample) break
  }
  return result
}

/** Relative cost of a row; phrases need its words, too. */
const costOf = ({ question: { required, excluded } }: SearchRequest): number =>
  [...required, ...excluded].some(({ words }) => words.length > 1) ? 5 : 1

/** Rounds to two digits, which shows that it is an estimate. */
function roundEstimate(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.round(count / step) * step
}

const orderOf = ({ order }: SearchRequest): store.Order => (order === 'date' ? 'date' : 'place')

/** Reads all matches of an index condition, checking the rest on the rows. */
async function readAll({ db, request, statistics }: Reading, condition: Condition): Promise<Result> {
  const shelves = shelvesOf(statistics.tenantNumber, request.kind)
  const all = onAny(shelves, condition, 'anywhere')
  const inTitle = titleFirst(request) ? onAny(shelves, wordsOnly(request), 'title') : undefined
  const limit = Math.max(endOf(request), request.onePerPodcast ? maxRows : ranked)
  const rows = await store.fewOf(db, all, inTitle, request, orderOf(request), limit)
  const group = request.onePerPodcast ? oncePerPodcast(rows) : rows
  return { groups: [group], others: [], total: request.onePerPodcast ? group.length : (rows[0]?.total ?? 0) }
}

async function calendarsOf({ db, request, statistics, now }: Reading): Promise<Cutting['datesOf']> {
  const counts = await store.periods(db, shelvesOf(statistics.tenantNumber, request.kind), now)
  return (shelves) => calendarOf(shelves.flatMap((shelf) => counts.get(shelf) ?? []))
}

/** Reads the first matches. */
async function readFirst(
  { db, request, statistics, now }: Reading,
  datesOf: Cutting['datesOf'],
  expectedOn: Cutting['expectedOn'],
): Promise<First> {
  const end = endOf(request)
  const isMore = (rows: Candidates) => rows.length > end // one more shows that there is another page
  const slicesFor = (need: number) => cut({ request, statistics, now, datesOf, expectedOn, need })
  if (!request.onePerPodcast) {
    // All pages that start among the ranked documents use the same groups.
    const need = Math.max(end + 1, request.order === 'date' ? 0 : ranked + maxPageSize)
    const groups = await readSlices(db, slicesFor(need), request, need, isMore)
    return { groups, others: [], isAll: !isMore(groups.flat()) }
  }
  let groups: readonly Candidates[] | undefined
  for (let need = rowsForPodcasts; ; need *= 4) {
    const sliceGroups = await readSlices(db, slicesFor(need), request, need, (rows) => isMore(oncePerPodcast(rows)))
    const rows = sliceGroups.flat()
    const podcasts = oncePerPodcast(rows)
    const isAll = rows.length < need && !isMore(podcasts)
    groups ??= groupsOf(sliceGroups)
    if (podcasts.length >= end || isAll) return { groups, others: podcasts.slice(groups.flat().length), isAll }
  }
}

/** Reads groups of slices that should be sufficient, until there are enough rows or no slices. */
async function readSlices(
  db: ReadingDb,
  slices: readonly Slice[],
  request: SearchRequest,
  limit: number,
  isEnough: (rows: Candidates) => boolean,
): Promise<Candidates[]> {
  const groups: Candidates[] = []
  const remaining = [...slices]
  for (let missing = limit; remaining.length > 0 && missing > 0 && !isEnough(groups.flat()); ) {
    const batch: Slice[] = []
    for (let expected = 0; remaining.length > 0 && expected < 1.5 * missing; ) {
      const slice = remaining.shift() as Slice
      batch.push(slice)
      expected += slice.expected
    }
    const rows = await store.firstOf(db, batch, request, orderOf(request), missing)
    groups.push(rows)
    missing -= rows.length
  }
  return groups
}

/** The first row of each podcast. */
function oncePerPodcast(rows: Candidates): Candidates {
  const podcastIds = new Set<string>()
  return rows.filter(({ podcastId }) => !podcastIds.has(podcastId) && podcastIds.add(podcastId))
}

/** The first row of each podcast, in the same groups. */
function groupsOf(groups: readonly Candidates[]): Candidates[] {
  const firsts = new Set(oncePerPodcast(groups.flat()))
  return groups.map((group) => group.filter((row) => firsts.has(row)))
}
