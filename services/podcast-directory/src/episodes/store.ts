import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Episode } from './episode.ts'

/** Columns of `episodes e`, named as in `Episode`. */
export const episodeColumns: Sql = sql`e.tenant, e.id, e.podcast_id as "podcastId", e.guid, e.title, e.description,
  e.audio, e.audio_length_sec as "audioLengthSec", e.pub_date_ms::float8 as "pubDateMs",
  e.explicit_content as "explicitContent", e.link, e.image, e.transcript_url as "transcriptUrl",
  e.maybe_audio_invalid as "maybeAudioInvalid", e.added_at as "addedAt", e.updated_at as "updatedAt"`

export function find(db: ReadingDb, tenant: string, id: string): Promise<Episode | undefined> {
  return db.maybe(sql`
    select ${episodeColumns} from podcast_directory.episodes e where e.tenant = ${tenant} and e.id = ${id}`)
}

export async function transcriptOf(db: ReadingDb, tenant: string, id: string): Promise<string | null> {
  const row = await db.maybe<{ transcript: string | null }>(sql`
    select transcript from podcast_directory.episodes where tenant = ${tenant} and id = ${id}`)
  return row?.transcript ?? null
}

/** Unordered. */
export function findAll(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Episode[]> {
  return db.many(sql`
    select ${episodeColumns} from podcast_directory.episodes e where e.tenant = ${tenant} and e.id = any(${ids})`)
}

/** Episodes of a podcast before or after a time, nearest first. Times are unique. */
export function ofPodcast(
  db: ReadingDb,
  tenant: string,
  podcastId: string,
  {
    sort,
    from,
    limit,
  }: { readonly sort: 'recent_first' | 'oldest_first'; readonly from?: number | undefined; readonly limit: number },
): Promise<Episode[]> {
  if (sort === 'oldest_first')
    return db.many(sql`
      select ${episodeColumns} from podcast_directory.episodes e
      where e.tenant = ${tenant} and e.podcast_id = ${podcastId} and e.pub_date_ms > ${from ?? -1}
      order by e.pub_date_ms limit ${limit}`)
  return db.many(sql`
    select ${episodeColumns} from podcast_directory.episodes e
    where e.tenant = ${tenant} and e.podcast_id = ${podcastId} and e.pub_date_ms < ${from ?? Number.MAX_SAFE_INTEGER}
    order by e.pub_date_ms desc limit ${limit}`)
}

/** The latest episodes of several podcasts, including ties with the last one. */
export function latestOf(
  db: ReadingDb,
  tenant: string,
  podcastIds: readonly string[],
  before: number | undefined,
  limit: number,
): Promise<Episode[]> {
  return db.many(sql`
    select ${episodeColumns} from unnest(${podcastIds}::text[]) as requested(podcast_id), lateral (
      select * from podcast_directory.episodes
      where tenant = ${tenant} and podcast_id = requested.podcast_id
        and pub_date_ms < ${before ?? Number.MAX_SAFE_INTEGER}
      order by pub_date_ms desc limit ${limit}) e
    order by e.pub_date_ms desc fetch first ${limit} rows with ties`)
}

/** Returns the id of its podcast; undefined if the episode no longer exists. */
export async function setTranscript(
  db: Db,
  tenant: string,
  id: string,
  transcript: string,
): Promise<string | undefined> {
  const row = await db.maybe<{ podcastId: string }>(sql`
    update podcast_directory.episodes set transcript = ${transcript} where tenant = ${tenant} and id = ${id}
    returning podcast_id as "podcastId"`)
  return row?.podcastId
}
