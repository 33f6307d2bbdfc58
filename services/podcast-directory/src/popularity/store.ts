import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface SearchNote {
  readonly tenant: string
  /** Start of the hour. */
  readonly since: Date
  readonly term: string
  readonly searches: number
}

/** Adds searches to their hours, sorted to avoid deadlocks between nodes. */
export async function addSearches(db: Db, notes: readonly SearchNote[]): Promise<void> {
  await db.run(sql`
    insert into podcast_directory.searches as s (tenant, since, term, searches)
    select tenant, since, term, searches
    from jsonb_to_recordset(${JSON.stringify(notes)}) as n(tenant text, since timestamptz, term text, searches integer)
    order by tenant, since, term collate "C"
    on conflict (tenant, since, term) do update set searches = s.searches + excluded.searches`)
}

export interface VisitNote {
  readonly tenant: string
  readonly kind: 'podcast' | 'episode'
  readonly id: string
  readonly region: string
  readonly listener: string
}

export interface ResolvedVisit {
  readonly tenant: string
  readonly podcastId: string
  readonly listener: string
}

/** Adds visits to their day; those of an episode count for its podcast. Returns them in order. */
export async function addVisits(db: Db, notes: readonly VisitNote[], now: Date): Promise<ResolvedVisit[]> {
  return db.many(sql`
    with note as materialized (
      select n.tenant, coalesce(e.podcast_id, n.id) as podcast_id, n.region, n.listener, n.nth
      from rows from (jsonb_to_recordset(${JSON.stringify(notes)})
        as (tenant text, kind text, id text, region text, listener text)) with ordinality
        as n(tenant, kind, id, region, listener, nth)
      left join podcast_directory.episodes e on n.kind = 'episode' and e.tenant = n.tenant and e.id = n.id
      where n.kind = 'podcast' or e.id is not null
    ), added as (
      insert into podcast_directory.visits as v (tenant, day, podcast_id, region, visits)
      select tenant, ${now}::timestamptz at time zone 'utc', podcast_id, region, count(*) from note
      group by 1, 2, 3, 4 order by 1, 3, 4
      on conflict (tenant, podcast_id, day, region) do update set visits = v.visits + excluded.visits
    )
    select tenant, podcast_id as "podcastId", listener from note order by nth`)
}

export interface Pair {
  readonly tenant: string
  readonly podcastId: string
  readonly otherId: string
}

/** Adds pairs of podcasts visited by the same listener, in both directions. */
export async function addTogether(db: Db, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return
  await db.run(sql`
    insert into podcast_directory.together as t (tenant, podcast_id, other_id, visits)
    select tenant, podcast_id, other_id, count(*) from (
      select tenant, "podcastId" as podcast_id, "otherId" as other_id
      from jsonb_to_recordset(${JSON.stringify(pairs)}) as p(tenant text, "podcastId" text, "otherId" text)
      union all
      select tenant, "otherId", "podcastId"
      from jsonb_to_recordset(${JSON.stringify(pairs)}) as p(tenant text, "podcastId" text, "otherId" text)
    ) as both_ways group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant, podcast_id, other_id) do update set visits = t.visits + excluded.visits`)
}

const hourRetention = '2 days'
/** Number of most frequent terms to keep of a past day. */
const maxTermsPerDay = 1_000

/** Merges the hours of the oldest day past its retention. False if there was none. */
export async function compactSearches(db: Db, now: Date): Promise<boolean> {
  const oldest = await db.maybe<{ tenant: string; day: Date }>(sql`
    select tenant, date_trunc('day', since, 'utc') as day from podcast_directory.searches
    where since < date_trunc('day', ${now}::timestamptz - ${hourRetention}::interval, 'utc')
      and since <> date_trunc('day', since, 'utc')
    order by since limit 1`)
  if (!oldest) return false
  const { tenant, day } = oldest
  const hours = await db.many<{ term: string; searches: number }>(sql`
    delete from podcast_directory.searches
    where tenant = ${tenant} and since >= ${day} and since < ${day}::timestamptz + interval '1 day'
    returning term, searches`)
  const sums = new Map<string, number>()
  for (const { term, searches } of hours) sums.set(term, (sums.get(term) ?? 0) + searches)
  const topTerms = [...sums].sort((a, b) => b[1] - a[1]).slice(0, maxTermsPerDay)
  await addSearches(
    db,
    topTerms.map(([term, searches]) => ({ tenant, since: day, term, searches })),
  )
  return true
}

export interface RegionVisits {
  readonly region: string
  readonly visits: number
}

const audienceDays = 90

/** Visits of the last months by region, most first. */
export function visitsByRegion(db: ReadingDb, tenant: string, podcastId: string, now: Date): Promise<RegionVisits[]> {
  return db.many(sql`
    select region, sum(visits)::float8 as visits from podcast_directory.visits
    where tenant = ${tenant} and podcast_id = ${podcastId} and region <> ''
      and day > (${now}::timestamptz at time zone 'utc')::date - ${audienceDays}::integer
    group by region order by 2 desc, region`)
}

/** Terms with the highest increase in searches. */
export async function trending(db: ReadingDb, tenant: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db.many<{ term: string }>(sql`
    select term from (
      select term,
        sum(searches) filter (where since >= ${now}::timestamptz - interval '1 day') as latest,
        coalesce(sum(searches) filter (where since < ${now}::timestamptz - interval '1 day'), 0) / 7.0 as usual
      from podcast_directory.searches
      where tenant = ${tenant} and since >= ${now}::timestamptz - interval '8 days' group by term
    ) as counted
    where latest > 0 order by latest * (latest + 1) / (usual + 1) desc, term limit ${limit}`)
  return rows.map(({ term }) => term)
}
