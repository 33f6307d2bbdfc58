import { type Db, empty, join, type Sql, sql, varying } from '@icosa/kernel'
import type { Statistics } from './estimate.ts'
import type { Kind } from './shelf.ts'
import type { Hit, Range, Ranges } from './wanted.ts'

/** A document that was found, with what it is ordered by. */
export interface Candidate extends Hit {
  readonly score: number
  readonly publishedMs: number
}

/** Undefined if nothing of the tenant was ever indexed. */
export async function statistics(
  db: Db,
  tenant: string,
  words: readonly string[],
  withDates: boolean,
): Promise<Statistics | undefined> {
  const row = await db.maybe<{
    tenantNumber: number
    shelves: Record<string, number>
    counts: Record<string, { documents: number; titles: number }>
    dates: readonly string[] | null
  }>(sql`
    select t.number as "tenantNumber",
      coalesce((select jsonb_object_agg(shelf, documents) from podcast_directory.shelves
        where tenant = ${tenant}), '{}') as shelves,
      coalesce((select jsonb_object_agg(word, jsonb_build_object('documents', documents, 'titles', titles))
        from podcast_directory.vocabulary where tenant = ${tenant} and word = any(${words})), '{}') as counts,
      ${withDates ? dates : sql`null`} as dates
    from podcast_directory.tenants t where t.tenant = ${tenant}`)
  return (
    row && {
      tenantNumber: row.tenantNumber,
      shelves: new Map(Object.entries(row.shelves)),
      counts: new Map(Object.entries(row.counts)),
      dates: (row.dates ?? []).map(Number),
    }
  )
}

/** From the statistics that PostgreSQL keeps for itself. */
const dates = sql`(select histogram_bounds::text::bigint[] from pg_stats
  where schemaname = 'podcast_directory' and tablename = 'documents' and attname = 'published_ms')`

/** Documents of one shelf, in the order of their place or date. */
export interface Slice {
  readonly shelf: string
  readonly tsquery: string
  /** By the words of the index, or by going through the shelf until enough fit. Both find the same. */
  readonly by: 'words' | 'walk'
}

export interface SliceOptions {
  readonly kind: Kind
  readonly ranges: Ranges
  readonly order: 'place' | 'date'
  readonly limit: number
}

/** The first of all slices together: one slice after the other, or mixed by date. Slices that are not needed are not read. */
export function firstOf(db: Db, slices: readonly Slice[], options: SliceOptions): Promise<Candidate[]> {
  const { order, limit } = options
  const union = join(
    slices.map((slice) => sql`(${sliceOf(slice, options)})`),
    ' union all ',
  )
  const mixed = order === 'date' ? sql`order by "publishedMs" desc, id` : empty
  return db.many(varying(sql`select * from (${union}) as sliced ${mixed} limit ${limit}`))
}

const columns = sql`id, podcast_id as "podcastId", score, published_ms::float8 as "publishedMs"`

function sliceOf({ shelf, tsquery, by }: Slice, { kind, ranges, order, limit }: SliceOptions): Sql {
  // An episode's place is its date, so one index serves both orders.
  const key = order === 'place' || kind === 'episode' ? sql`place` : sql`published_ms`
  // The function is the operator, except that no index serves it.
  const fits =
    by === 'words'
      ? sql`terms @@ ${tsquery}::tsquery`
      : sql`shelf = ${shelf} and ${kindOf(kind)} and ts_match_vq(terms, ${tsquery}::tsquery)`
  return sql`
    select ${columns} from podcast_directory.documents
    where ${fits} ${within(ranges, kind)} order by ${key} desc, id limit ${limit}`
}

const kindOf = (kind: Kind) => (kind === 'episode' ? sql`kind = 'episode'` : sql`kind <> 'episode'`)

/** All that fit, counted, and the first of them: those with all words in the title, then by shelf and place; or by date. */
export function fewOf(
  db: Db,
  all: string,
  inTitle: string | undefined,
  { kind, ranges, order, limit }: SliceOptions,
): Promise<(Candidate & { readonly total: number })[]> {
  const best = inTitle === undefined ? empty : sql`ts_match_vq(terms, ${inTitle}::tsquery) desc,`
  const by = order === 'date' ? sql`published_ms desc, id` : sql`${best} shelf, place desc, id`
  return db.many(sql`
    select ${columns}, (count(*) over ())::integer as total from podcast_directory.documents
    where terms @@ ${all}::tsquery ${within(ranges, kind)} order by ${by} limit ${limit}`)
}

/** How many fit. */
export async function count(db: Db, tsquery: string, kind: Kind, ranges: Ranges): Promise<number> {
  const { documents } = await db.one<{ documents: number }>(sql`
    select count(*)::integer as documents from podcast_directory.documents
    where terms @@ ${tsquery}::tsquery ${within(ranges, kind)}`)
  return documents
}

/** How well the words of documents fit, by their ids. */
export async function ranksOf(
  db: Db,
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

function within({ publishedMs, lengthSec, episodeCount, updateHours }: Ranges, kind: Kind): Sql {
  const conditions = [
    ...between(kind === 'episode' ? sql`place` : sql`published_ms`, publishedMs),
    ...between(sql`length_sec`, lengthSec),
    ...between(sql`episode_count`, episodeCount),
    ...between(sql`update_hours`, updateHours),
  ]
  return conditions.length === 0 ? empty : sql`and ${join(conditions, ' and ')}`
}

function between(column: Sql, { min, max }: Range = {}): Sql[] {
  return [
    ...(min === undefined ? [] : [sql`${column} >= ${min}`]),
    ...(max === undefined ? [] : [sql`${column} <= ${max}`]),
  ]
}
