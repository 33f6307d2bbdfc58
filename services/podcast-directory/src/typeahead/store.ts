import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'

export type Source = 'podcast' | 'search' | 'title'

export interface Completion {
  readonly text: string
  readonly podcastId: string
}

/** Up to this prefix length, an index has the rows ordered by weight. */
const maxIndexedLength = 3
/** Maximum number of rows to sort for longer prefixes. */
const maxRows = 2_000
/** Sorts after every other character. */
const lastCharacter = '\u{10ffff}'

/** Completions of a prefix, highest weight first. */
export function complete(
  db: ReadingDb,
  tenant: string,
  source: Source,
  prefix: string,
  { limit, safe }: { readonly limit: number; readonly safe: boolean },
): Promise<Completion[]> {
  const clean = safe ? sql`and not explicit_content` : sql``
  const length = Array.from(prefix).length
  if (length <= maxIndexedLength)
    return db.many(sql`
      select text, podcast_id as "podcastId" from podcast_directory.completions
      where tenant = ${tenant} and source = ${source} and ${leftOf(length)} = ${prefix} ${clean}
      order by weight desc limit ${limit}`)
  return db.many(sql`
    select text, "podcastId" from (
      select text, podcast_id as "podcastId", weight from podcast_directory.completions
      where tenant = ${tenant} and source = ${source} and key >= ${prefix} and key < ${prefix + lastCharacter} ${clean}
      limit ${maxRows}) as found
    order by weight desc limit ${limit}`)
}

/** Spelled out, as in the index definitions. */
function leftOf(length: number): Sql {
  if (length <= 1) return sql`left(key, 1)`
  return length === 2 ? sql`left(key, 2)` : sql`left(key, 3)`
}

export interface NewCompletion {
  readonly key: string
  readonly podcastId: string
  readonly text: string
  readonly weight: number
  readonly explicit: boolean
}

export interface TitleRow {
  readonly id: string
  readonly title: string
  readonly publisher: string
  readonly score: number | null
  readonly explicit: boolean
}

/** Listed podcasts. */
export function titles(db: ReadingDb, tenant: string, podcastIds: readonly string[]): Promise<TitleRow[]> {
  return db.many(sql`
    select id, title, publisher, listen_score as score, explicit_content as explicit from podcast_directory.podcasts
    where tenant = ${tenant} and id = any(${podcastIds}) and status = 'listed'`)
}

/** Replaces all completions of these podcasts. */
export async function replacePodcasts(
  db: Db,
  tenant: string,
  podcastIds: readonly string[],
  completions: readonly NewCompletion[],
): Promise<void> {
  await db.run(sql`
    delete from podcast_directory.completions
    where tenant = ${tenant} and podcast_id = any(${podcastIds}) and podcast_id <> ''`)
  await insert(db, tenant, 'podcast', completions)
}

async function insert(db: Db, tenant: string, source: Source, completions: readonly NewCompletion[]): Promise<void> {
  await db.run(sql`
    insert into podcast_directory.completions as c (tenant, source, key, podcast_id, text, weight, explicit_content)
    select distinct on (key, "podcastId") ${tenant}, ${source}, key, "podcastId", text, weight, explicit
    from jsonb_to_recordset(${JSON.stringify(completions)})
      as n(key text, "podcastId" text, text text, weight integer, explicit boolean)
    order by key, "podcastId", weight desc
    on conflict (tenant, source, key, podcast_id) do update set text = excluded.text, weight = excluded.weight
    where c.weight <> excluded.weight`)
}

/** Terms searched repeatedly in the last 30 days, most frequent first. */
export function searched(
  db: ReadingDb,
  tenant: string,
  now: Date,
  limit: number,
): Promise<{ readonly term: string; readonly searches: number }[]> {
  return db.many(sql`
    select term, sum(searches)::float8 as searches from podcast_directory.searches
    where tenant = ${tenant} and since >= ${now}::timestamptz - interval '30 days'
    group by term having sum(searches) > 1 order by 2 desc, 1 limit ${limit}`)
}

/** Replaces all completions from searches. */
export async function replaceSearches(db: Db, tenant: string, completions: readonly NewCompletion[]): Promise<void> {
  const keys = completions.map(({ key }) => key)
  await db.run(sql`
    delete from podcast_directory.completions
    where tenant = ${tenant} and source = 'search' and key <> all(${keys})`)
  await insert(db, tenant, 'search', completions)
}

/** Adds words that occur in several titles. */
export async function addTitleWords(db: Db, tenant: string, minTitles: number): Promise<void> {
  await db.run(sql`
    insert into podcast_directory.completions as c (tenant, source, key, text, weight)
    select tenant, 'title', word, word, least(titles, 1000000000) from podcast_directory.vocabulary
    where tenant = ${tenant} and titles >= ${minTitles} and length(word) between 3 and 60 and word !~ '^[0-9~]'
    on conflict (tenant, source, key, podcast_id) do update set weight = excluded.weight
    where c.weight * 1.1 < excluded.weight`)
}

/** Significant words of documents. */
export function telling(
  db: ReadingDb,
  tenant: string,
  ids: readonly string[],
): Promise<{ readonly telling: Record<string, number> }[]> {
  return db.many(sql`
    select telling from podcast_directory.documents
    where tenant = ${tenant} and kind = 'episode' and id = any(${ids})`)
}
