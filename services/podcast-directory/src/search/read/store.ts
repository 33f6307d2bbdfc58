import { empty, join, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { Kind } from '../index/shelf.ts'
import type { Statistics } from '../plan/estimate.ts'
import type { Slice } from '../plan/slices.ts'
import type { AnyOf } from '../plan/tsquery.ts'
import type { Hit, Range, Ranges, SearchRequest } from '../question/request.ts'

/** A document that was found, with what it is ordered by. */
export interface Candidate extends Hit {
  readonly score: number
  readonly publishedMs: number
}

/** The number before the words of a tenant's shelves; undefined if nothing of it was ever indexed. */
export async function tenantNumber(db: ReadingDb, tenant: string): Promise<number | undefined> {
  const row = await db.maybe<{ number: number }>(sql`
    select number from podcast_directory.tenants where tenant = ${tenant}`)
  return row?.number
}

/** Undefined if nothing of the tenant was ever indexed. */
export async function statistics(
  db: ReadingDb,
  tenant: string,
  words: readonly string[],
): Promise<Statistics | undefined> {
  const row = await db.maybe<{
    tenantNumber: number
    counts: Record<string, { documents: number; titles: number }>
  }>(sql`
    select t.number as "tenantNumber",
      coalesce((select jsonb_object_agg(word, jsonb_build_object('documents', documents, 'titles', titles))
        from podcast_directory.vocabulary where tenant = ${tenant} and word = any(${words})), '{}') as counts
    from podcast_directory.tenants t where t.tenant = ${tenant}`)
  return row && { tenantNumber: row.tenantNumber, counts: new Map(Object.entries(row.counts)) }
}

/** How many documents of each of these shelves are of each year, and of each of the latest months. */
export async function periods(
  db: ReadingDb,
  shelves: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly (readonly [period: string, documents: number])[]>> {
  const rows = await db.many<{ shelf: string; periods: string[]; documents: number[] }>(sql`
    select shelf, array_agg(period) as periods, array_agg(documents::float8) as documents
    from podcast_directory.shelves
    where shelf = any(${shelves}) and (length(period) = 4 or period >= ${monthsAgo(now)}) group by shelf`)
  return new Map(rows.map((row) => [row.shelf, row.periods.map((period, nth) => [period, row.documents[nth] ?? 0])]))
}

/** Before this month, years are enough. */
const monthsAgo = (now: Date) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 36)).toISOString().slice(0, 7)

const columns = sql`id, podcast_id as "podcastId", score, published_ms::float8 as "publishedMs"`

/** The order of a shelf, or by date. */
export type Order = 'place' | 'date'

const orderOf = (order: Order) => (order === 'date' ? sql`"publishedMs" desc, id` : sql`place desc, id`)

const fitsAny = (tsqueries: AnyOf): Sql =>
  sql`(${join(
    tsqueries.map((tsquery) => sql`terms @@ ${tsquery}::tsquery`),
    ' or ',
  )})`

/** The first documents of several slices, one slice after the other. Those that are not needed are not read. */
export function firstOf(
  db: ReadingDb,
  slices: readonly Slice[],
  condition: RowCondition,
  order: Order,
  limit: number,
): Promise<Candidate[]> {
  const each = slices.map(
    ({ anyOf, beforeMs }) => sql`(
      select ${columns} from podcast_directory.documents
      where ${fitsAny(anyOf)} ${isSuch(condition)} ${beforeMs === undefined ? empty : sql`and published_ms < ${beforeMs}`}
      order by ${orderOf(order)} limit ${limit})`,
  )
  return db.many(varying(sql`select * from (${join(each, ' union all ')}) as slices limit ${limit}`))
}

/** What rows must be, beside having words. */
export type RowCondition = Pick<SearchRequest, 'facets' | 'without' | 'ranges'>

/** All that fit, counted, and the first of them: those with all words in the title, then by shelf and place; or by date. */
export function fewOf(
  db: ReadingDb,
  all: AnyOf,
  inTitle: AnyOf | undefined,
  condition: RowCondition,
  order: Order,
  limit: number,
): Promise<(Candidate & { readonly total: number })[]> {
  // Titles are looked up for themselves: to ask every document costs more than to find it.
  const best =
    inTitle === undefined
      ? empty
      : sql`(id in (select id from podcast_directory.documents where ${fitsAny(inTitle)})) desc,`
  const by = order === 'date' ? orderOf(order) : sql`${best} shelf, ${orderOf(order)}`
  // Found before it is put in order: else the planner goes through everything in this order to save the sorting.
  return db.many(
    varying(sql`
      with found as materialized (
        select ${columns}, shelf, place from podcast_directory.documents
        where ${fitsAny(all)} ${isSuch(condition)})
      select id, "podcastId", score, "publishedMs", (count(*) over ())::integer as total
      from found order by ${by} limit ${limit}`),
  )
}

/** What a sample has of one shelf. */
export interface Sampled {
  readonly shelf: string
  /** How many rows the index finds. */
  readonly found: number
  /** How many of them fit. */
  readonly fitting: number
  /** How many podcasts those are of. */
  readonly podcasts: number
  /** How many podcasts have only one of those. */
  readonly single: number
}

/** Counts a sample: what the index finds for a tsquery, and of that what fits another, too, and is what it must be. */
export function sampled(db: ReadingDb, found: string, fitting: string, condition: RowCondition): Promise<Sampled[]> {
  const words = found === fitting ? sql`true` : sql`ts_match_vq(terms, ${fitting}::tsquery)`
  return db.many(
    varying(sql`
      select shelf, sum(found)::integer as found, sum(fitting)::integer as fitting,
        (count(*) filter (where fitting > 0))::integer as podcasts,
        (count(*) filter (where fitting = 1))::integer as single
      from (
        select shelf, count(*) as found, count(*) filter (where ${words} ${isSuch(condition)}) as fitting
        from podcast_directory.documents where terms @@ ${found}::tsquery group by shelf, podcast_id
      ) as each_podcast group by shelf`),
  )
}

/** How well the words of documents fit, by their ids. */
export async function ranksOf(
  db: ReadingDb,
  tenant: string,
  kind: Kind,
  ids: readonly string[],
  tsquery: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.many<{ id: string; rank: number }>(sql`
    select id, ts_rank(terms, ${tsquery}::tsquery, 1) as rank from podcast_directory.documents
    where tenant = ${tenant} and kind = ${kind} and id = any(${ids})`)
  return new Map(rows.map(({ id, rank }) => [id, rank]))
}

function isSuch({ facets, without, ranges }: RowCondition): Sql {
  const conditions = [...areSuch(facets, without), ...areIn(ranges)]
  return conditions.length === 0 ? empty : sql`and ${join(conditions, ' and ')}`
}

const areSuch = (facets: SearchRequest['facets'], without: readonly string[]): Sql[] => [
  ...facets.map((group) => sql`facets && ${group}::text[]`),
  ...(without.length === 0 ? [] : [sql`not facets && ${without}::text[]`]),
]

const areIn = ({ publishedMs, lengthSec, episodeCount, updateHours }: Ranges): Sql[] => [
  ...between(sql`published_ms`, publishedMs),
  ...between(sql`length_sec`, lengthSec),
  ...between(sql`episode_count`, episodeCount),
  ...between(sql`update_hours`, updateHours),
]

function between(column: Sql, { min, max }: Range = {}): Sql[] {
  return [
    ...(min === undefined ? [] : [sql`${column} >= ${min}`]),
    ...(max === undefined ? [] : [sql`${column} <= ${max}`]),
  ]
}
