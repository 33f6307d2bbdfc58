import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'
import { tenantNumber } from '../read/store.ts'
import type { Document } from './document.ts'
import { lexeme } from './document.ts'
import { facet, type Kind, marks, shelvesOf } from './shelf.ts'
import type { Key } from './source-store.ts'

/** Serializes writers, so that the latest read is written last. */
export const lockIndex = (db: Db): Promise<void> => lockName(db, 'podcast_directory.documents')

/** A tenant's number, assigned if necessary. */
export async function numberOf(db: Db, tenant: string): Promise<number> {
  const number = await tenantNumber(db, tenant)
  if (number !== undefined) return number
  await db.run(sql`insert into podcast_directory.tenants (tenant) values (${tenant}) on conflict do nothing`)
  return (await tenantNumber(db, tenant)) as number
}

/** Which of these documents are indexed. */
export async function present(db: ReadingDb, tenant: string, kind: Kind, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select found.id from unnest(${ids}::text[]) as requested(id) cross join lateral (
      select d.id from podcast_directory.documents d
      where d.tenant = ${tenant} and d.kind = ${kind} and d.id = requested.id offset 0) as found`)
  return new Set(rows.map(({ id }) => id))
}

/** Month and year of a document. */
const period = sql`to_char(to_timestamp(published_ms / 1000) at time zone 'UTC', unnest('{YYYY-MM,YYYY}'::text[])) as period`

/** Writes changed documents. */
export async function write(db: Db, documents: readonly Document[]): Promise<void> {
  if (documents.length === 0) return
  const column = <K extends keyof Document>(name: K) => documents.map((document) => document[name])
  await db.run(sql`
    with given as (
      select * from unnest(${column('tenant')}::text[], ${column('kind')}::text[], ${column('id')}::text[],
        ${column('podcastId')}::text[], ${column('shelf')}::text[], ${column('place')}::bigint[],
        ${column('publishedMs')}::bigint[], ${column('lengthSec')}::integer[], ${column('episodeCount')}::integer[],
        ${column('updateHours')}::integer[], ${column('score')}::smallint[],
        ${documents.map(({ telling }) => JSON.stringify(telling))}::jsonb[],
        ${documents.map(({ facets }) => JSON.stringify(facets))}::jsonb[], ${column('terms')}::text[])
      as d(tenant, kind, id, podcast_id, shelf, place, published_ms, length_sec, episode_count, update_hours, score,
        telling, facets, terms)
    ), moved as (
      select shelf, period, tenant, sum(change) as change from (
        select shelf, ${period}, tenant, 1 as change from given
        union all
        select before.*, -1 from given cross join lateral (
          select shelf, ${period}, tenant from podcast_directory.documents d
          where d.tenant = given.tenant and d.kind = given.kind and d.id = given.id offset 0) as before
      ) as each group by 1, 2, 3 having sum(change) <> 0 order by 1, 2
    ), counted as (
      insert into podcast_directory.shelves as s (shelf, period, tenant, documents)
      select shelf, period, tenant, change from moved
      on conflict (shelf, period) do update set documents = s.documents + excluded.documents
    )
    insert into podcast_directory.documents as d (tenant, kind, id, podcast_id, shelf, place, published_ms, length_sec,
      episode_count, update_hours, score, telling, facets, terms)
    select tenant, kind, id, podcast_id, shelf, place, published_ms, length_sec, episode_count, update_hours, score,
      telling, array(select jsonb_array_elements_text(facets)), terms::tsvector from given
    on conflict (tenant, kind, id) do update set podcast_id = excluded.podcast_id, shelf = excluded.shelf,
      place = excluded.place, published_ms = excluded.published_ms, length_sec = excluded.length_sec,
      episode_count = excluded.episode_count, update_hours = excluded.update_hours, score = excluded.score,
      telling = excluded.telling, facets = excluded.facets, terms = excluded.terms
    where (d.place, d.published_ms, d.length_sec, d.episode_count, d.update_hours, d.score, d.terms) is distinct from
      (excluded.place, excluded.published_ms, excluded.length_sec, excluded.episode_count, excluded.update_hours,
      excluded.score, excluded.terms)`)
}

export function remove(db: Db, tenant: string, kind: Kind, ids: readonly string[]): Promise<void> {
  return removeCounted(
    db,
    sql`delete from podcast_directory.documents where tenant = ${tenant} and kind = ${kind} and id = any(${ids})`,
  )
}

/** Removes all episodes of a podcast. */
export async function removeEpisodesOf(db: Db, tenantNumber: number, { tenant, id }: Key): Promise<void> {
  const facets = shelvesOf(tenantNumber, 'episode').map((shelf) => lexeme(shelf + marks.facet + facet.podcast(id)))
  await removeCounted(
    db,
    sql`delete from podcast_directory.documents
      where tenant = ${tenant} and kind = 'episode' and terms @@ ${facets.join(' | ')}::tsquery`,
  )
}

async function removeCounted(db: Db, deletion: ReturnType<typeof sql>): Promise<void> {
  await db.run(sql`
    with gone as (${deletion} returning shelf, published_ms), counted as (
      select shelf, period, count(*) as change from (select shelf, ${period} from gone) as each
      group by 1, 2 order by 1, 2)
    update podcast_directory.shelves s set documents = s.documents - change from counted
    where s.shelf = counted.shelf and s.period = counted.period`)
}

export interface WordCount {
  readonly word: string
  readonly documents: number
  readonly titles: number
}

/** Adds to the counts of words. */
export async function countWords(db: Db, tenant: string, counts: readonly WordCount[]): Promise<void> {
  if (counts.length === 0) return
  const sorted = [...counts].sort((a, b) => (a.word < b.word ? -1 : 1))
  await db.run(sql`
    insert into podcast_directory.vocabulary as v (tenant, word, documents, titles)
    select ${tenant}, word, documents, titles from unnest(${sorted.map(({ word }) => word)}::text[],
      ${sorted.map(({ documents }) => documents)}::bigint[], ${sorted.map(({ titles }) => titles)}::bigint[])
      as c(word, documents, titles)
    on conflict (tenant, word) do update set documents = v.documents + excluded.documents,
      titles = v.titles + excluded.titles`)
}

/** Number of documents with each word, and in total. */
export async function documentsWith(
  db: ReadingDb,
  tenant: string,
  words: readonly string[],
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly all: number }> {
  const rows = await db.many<{ word: string; documents: number }>(sql`
    select v.word, v.documents::float8 as documents from unnest(${words}::text[]) as requested(word)
      join podcast_directory.vocabulary v on v.tenant = ${tenant} and v.word = requested.word`)
  const { all } = await db.one<{ all: number }>(sql`
    select coalesce(sum(documents), 0)::float8 as all from podcast_directory.shelves
    where tenant = ${tenant} and length(period) = 4`)
  return { counts: new Map(rows.map(({ word, documents }) => [word, documents])), all }
}

/** Tenants with documents in the index. */
export async function tenants(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`select tenant from podcast_directory.tenants order by number`)
  return rows.map(({ tenant }) => tenant)
}
