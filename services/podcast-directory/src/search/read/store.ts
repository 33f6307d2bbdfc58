import { empty, join, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { Kind } from '../index/shelf.ts'
import type { Statistics } from '../plan/estimate.ts'
import type { Slice } from '../plan/slices.ts'
import type { AnyOf } from '../plan/tsquery.ts'
import type { Hit, Range, Ranges, SearchRequest } from '../question/request.ts'

/** A matching document with its sort keys. */
export interface Candidate extends Hit {
  readonly score: number
  readonly publishedMs: number
}

/** Number in the names of a tenant's shelves; undefined if nothing was ever indexed. */
export async function tenantNumber(db: ReadingDb, tenant: string): Promise<number | undefined> {
  const row = await db.maybe<{ number: number }>(sql`
    select number from podcast_directory.tenants where tenant = ${tenant}`)
  return row?.number
}

/** Undefined if nothing was ever indexed. */
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

/** Number of documents of each shelf by year, and by month for the latest years. */
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

/** Only years are counted before this month. */
const monthsAgo = (now: Date) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 36)).toISOString().slice(0, 7)

const columns = sql`id, podcast_id as "podcastId", score, published_ms::float8 as "publishedMs"`

/** The order of a shelf, or by date. */
export type Order = 'place' | 'date'

const orderOf = (order: Order) => (order === 'date' ? sql`"publishedMs" desc, id` : sql`place desc, id`)

const matchesAny = (tsqueries: AnyOf): Sql =>
  sql`(${join(
    tsqueries.map((tsquery) => sql`terms @@ ${tsquery}::tsquery`),
    ' or ',
  )})`

/** The first documents of several slices in order, without reading unneeded ones. */
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
      where ${matchesAny(anyOf)} ${rowCondition(condition)} ${beforeMs === undefined ? empty : sql`and published_ms < ${beforeMs}`}
      order by ${orderOf(order)} limit ${limit})`,
  )
  return db.many(varying(sql`select * from (${join(each, ' union all ')}) as slices limit ${limit}`))
}

/** Conditions on rows, besides words. */
export type RowCondition = Pick<SearchRequest, 'facets' | 'without' | 'ranges'>

/** The first matches with the total, by title, shelf and place, or by date. */
export function fewOf(
  db: ReadingDb,
  all: AnyOf,
  inTitle: AnyOf | undefined,
  condition: RowCondition,
  order: Order,
  limit: number,
): Promise<(Candidate & { readonly total: number })[]> {
  // Titles are searched separately, which is faster than checking every document.
  const best =
    inTitle === undefined
      ? empty
      : sql`(id in (select id from podcast_directory.documents where ${matchesAny(inTitle)})) desc,`
  const by = order === 'date' ? orderOf(order) : sql`${best} shelf, ${orderOf(order)}`
  // Materialized, or the planner would scan everything in this order to avoid sorting.
  return db.many(
    varying(sql`
      with found as materialized (
        select ${columns}, shelf, place from podcast_directory.documents
        where ${matchesAny(all)} ${rowCondition(condition)})
      select id, "podcastId", score, "publishedMs", (count(*) over ())::integer as total
      from found order by ${by} limit ${limit}`),
  )
}

/** Counts of a sample on one shelf. */
export interface Sampled {
  readonly shelf: string
  /** Rows that the index returns. */
  readonly candidates: number
  /** Candidates that match. */
  readonly matches: number
  /** Podcasts with matches. */
  readonly podcasts: number
  /** Podcasts with a single match. */
  readonly single: number
}

/** Counts the rows of a sample that match `wide`, and of these the ones that match `exact` and the row conditions. */
export function sampled(db: ReadingDb, wide: string, exact: string, condition: RowCondition): Promise<Sampled[]> {
  const words = wide === exact ? sql`true` : sql`ts_match_vq(terms, ${exact}::tsquery)`
  return db.many(
    varying(sql`
      select shelf, sum(candidates)::integer as candidates, sum(matches)::integer as matches,
        (count(*) filter (where matches > 0))::integer as podcasts,
        (count(*) filter (where matches = 1))::integer as single
      from (
        select shelf, count(*) as candidates, count(*) filter (where ${words} ${rowCondition(condition)}) as matches
        from podcast_directory.documents where terms @@ ${wide}::tsquery group by shelf, podcast_id
      ) as each_podcast group by shelf`),
  )
}

/** Text search ranks by document id. */
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

function rowCondition({ facets, without, ranges }: RowCondition): Sql {
  const conditions = [...facetConditions(facets, without), ...rangeConditions(ranges)]
  return conditions.length === 0 ? empty : sql`and ${join(conditions, ' and ')}`
}

const facetConditions = (facets: SearchRequest['facets'], without: readonly string[]): Sql[] => [
  ...facets.map((group) => sql`facets && ${group}::text[]`),
  ...(without.length === 0 ? [] : [sql`not facets && ${without}::text[]`]),
]

const rangeConditions = ({ publishedMs, lengthSec, episodeCount, updateHours }: Ranges): Sql[] => [
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
