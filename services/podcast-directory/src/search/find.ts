import type { Db } from '@icosa/kernel'
import { countedWords, type Statistics, shareOf, shareOfDates } from './estimate.ts'
import { rankedBy, tsqueryOf, type Where } from './matching.ts'
import { shelvesOf } from './shelf.ts'
import * as store from './store.ts'
import type { Found, Wanted } from './wanted.ts'

/** Up to so many, everything that fits is read and counted. */
const few = 2_000
/** So many of the first ones are put into their order by how well their words fit. */
const ranked = 100
/** Where a podcast counts once, so many rows are read for each that is wanted, and at most so many. */
const rowsPerPodcast = 8
const mostRows = 20_000

/** Finds what is wanted of a tenant's documents. Who names nothing that it wants, only what it does not, finds nothing. */
export async function find(db: Db, tenant: string, wanted: Wanted, now: Date): Promise<Found> {
  const { question, facets } = wanted
  if (question.wanted.length === 0 && (facets.length === 0 || question.unwanted.length > 0)) return nothing
  const withDates = wanted.ranges.publishedMs !== undefined
  const known = await store.statistics(db, tenant, countedWords(wanted), withDates)
  if (!known) return nothing
  const need = Math.max(wanted.offset + wanted.limit, wanted.order === 'relevance' ? ranked : 0)
  const expected = expectedTotal(wanted, known)
  const { candidates, total } =
    expected <= few ? await readAll(db, wanted, known, need) : await readSome(db, wanted, known, need, expected)
  const ordered = await inOrder(db, tenant, wanted, known, candidates, now)
  return { hits: ordered.slice(wanted.offset, wanted.offset + wanted.limit), total }
}

const nothing: Found = { hits: [], total: 0 }

interface Read {
  readonly candidates: readonly store.Candidate[]
  readonly total: number
}

const sizeOf = ({ shelves }: Statistics, names: readonly string[]) =>
  names.reduce((sum, name) => sum + (shelves.get(name) ?? 0), 0)

function expectedTotal(wanted: Wanted, known: Statistics): number {
  const size = sizeOf(known, shelvesOf(known.tenantNumber, wanted.kind))
  return size * shareOf(wanted, known, 'documents') * shareOfDates(wanted.ranges.publishedMs, known.dates)
}

const optionsOf = ({ kind, ranges, order }: Wanted, limit: number): store.SliceOptions => ({
  kind,
  ranges,
  order: order === 'date' ? 'date' : 'place',
  limit,
})

/** Whether those with all words in the title come before the others. */
const titleFirst = ({ order, fields, question }: Wanted) =>
  order === 'relevance' && fields.length > 1 && fields.includes('title') && question.wanted.length > 0

const onAny = (shelves: readonly string[], wanted: Wanted, where: Where) =>
  shelves.map((shelf) => `(${tsqueryOf(shelf, wanted, where)})`).join(' | ')

async function readAll(db: Db, wanted: Wanted, { tenantNumber }: Statistics, need: number): Promise<Read> {
  const shelves = shelvesOf(tenantNumber, wanted.kind)
  const limit = wanted.onePerPodcast ? Math.max(mostRows, need) : need
  const inTitle = titleFirst(wanted) ? onAny(shelves, wanted, 'title') : undefined
  const rows = await store.fewOf(db, onAny(shelves, wanted, 'anywhere'), inTitle, optionsOf(wanted, limit))
  if (!wanted.onePerPodcast) return { candidates: rows, total: rows[0]?.total ?? 0 }
  const once = oncePerPodcast(rows)
  return { candidates: once, total: once.length }
}

async function readSome(db: Db, wanted: Wanted, known: Statistics, need: number, expected: number): Promise<Read> {
  const [candidates, estimate] = await Promise.all([
    readFirst(db, wanted, known, need),
    estimateTotal(db, wanted, known, expected),
  ])
  if (candidates.length < need) return { candidates, total: candidates.length } // there are no more
  if (!wanted.onePerPodcast) return { candidates, total: rounded(Math.max(estimate, need)) }
  const podcasts = Math.max(1, sizeOf(known, shelvesOf(known.tenantNumber, 'podcast')))
  const distinct = podcasts * (1 - (1 - 1 / podcasts) ** estimate)
  return { candidates, total: rounded(Math.max(distinct, candidates.length)) }
}

async function readFirst(db: Db, wanted: Wanted, known: Statistics, need: number): Promise<store.Candidate[]> {
  const read = (limit: number) => store.firstOf(db, slicesOf(wanted, known, limit), optionsOf(wanted, limit))
  if (!wanted.onePerPodcast) return read(need)
  const most = Math.max(mostRows, need)
  for (let limit = Math.min(need * rowsPerPodcast, most); ; limit = Math.min(limit * 4, most)) {
    const rows = await read(limit)
    const once = oncePerPodcast(rows)
    if (once.length >= need || rows.length < limit || limit === most) return once
  }
}

/** Enough to say how many there are, give or take a tenth. */
const sample = 150

/** How many fit, judged by the upper shelves: they are counted, the lower ones taken to be like them. */
async function estimateTotal(db: Db, wanted: Wanted, known: Statistics, expected: number): Promise<number> {
  const shelves = shelvesOf(known.tenantNumber, wanted.kind)
  const all = sizeOf(known, shelves)
  const upper = shelves.map((_, nth) => shelves.slice(0, nth + 1))
  const counted = upper.find((some) => (expected * sizeOf(known, some)) / all >= sample) ?? shelves
  const found = await store.count(db, onAny(counted, wanted, 'anywhere'), wanted.kind, wanted.ranges)
  return (found * all) / Math.max(1, sizeOf(known, counted))
}

/** The first of each podcast, in the order given. */
function oncePerPodcast(rows: readonly store.Candidate[]): store.Candidate[] {
  const seen = new Set<string>()
  return rows.filter(({ podcastId }) => !seen.has(podcastId) && seen.add(podcastId))
}

/** Two digits, so that one sees that it is an estimate. */
function rounded(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.round(count / step) * step
}

/** The parts of the index that hold what is wanted, the best first, and how each is best read. */
function slicesOf(wanted: Wanted, known: Statistics, need: number): store.Slice[] {
  const shelves = shelvesOf(known.tenantNumber, wanted.kind)
  const anywhere = shareOf(wanted, known, 'documents')
  const inTitle = shareOf(wanted, known, 'titles')
  const parts: readonly { readonly where: Where; readonly share: number }[] = titleFirst(wanted)
    ? [
        { where: 'title', share: inTitle },
        { where: 'elsewhere', share: Math.max(0, anywhere - inTitle) },
      ]
    : [{ where: 'anywhere', share: anywhere }]
  const dates = shareOfDates(wanted.ranges.publishedMs, known.dates)
  // Whoever walks by date walks through the wanted dates alone.
  const byDate = wanted.kind === 'episode' || wanted.order === 'date'
  return parts.flatMap(({ where, share }) =>
    shelves.map((shelf): store.Slice => {
      const size = known.shelves.get(shelf) ?? 0
      const lookedUp = share * size
      const walked = byDate ? Math.min(need / share, size * dates) : Math.min(need / (share * dates), size)
      return { shelf, tsquery: tsqueryOf(shelf, wanted, where), by: walked < lookedUp ? 'walk' : 'words' }
    }),
  )
}

const yearMs = 365.25 * 86_400_000

/** By date as they come; by relevance the first ones by their words, their podcast's score and their age. */
async function inOrder(
  db: Db,
  tenant: string,
  wanted: Wanted,
  { tenantNumber }: Statistics,
  candidates: readonly store.Candidate[],
  now: Date,
): Promise<readonly store.Candidate[]> {
  const { kind, question, order, offset } = wanted
  if (order === 'date' || question.wanted.length === 0 || offset >= ranked || candidates.length < 2) return candidates
  const first = candidates.slice(0, ranked)
  const words = shelvesOf(tenantNumber, kind).map((shelf) => `(${rankedBy(shelf, wanted)})`)
  const ids = first.map(({ id }) => id)
  const ranks = await store.ranksOf(db, tenant, kind, ids, words.join(' | '))
  const worth = ({ id, score, publishedMs }: store.Candidate) => {
    const years = Math.max(0, now.getTime() - publishedMs) / yearMs
    return (ranks.get(id) ?? 0) * (1 + score / 100) * (0.5 + 0.5 ** (1 + years))
  }
  const worths = new Map(first.map((one) => [one.id, worth(one)]))
  const byWorth = first.toSorted((a, b) => (worths.get(b.id) ?? 0) - (worths.get(a.id) ?? 0))
  return [...byWorth, ...candidates.slice(ranked)]
}
