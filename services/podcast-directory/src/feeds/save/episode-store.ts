import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { FeedEpisode } from '../feed.ts'

/** The fields that a feed's outlines are matched with. */
export interface StoredEpisode {
  readonly id: string
  readonly guid: string
  readonly audio: string
  readonly digest: string
  readonly pubDateMs: number
}

export interface PodcastKey {
  readonly tenant: string
  readonly id: string
}

/** A podcast's episodes after a time, oldest first. Times are unique. */
export function storedAfter(
  db: ReadingDb,
  { tenant, id }: PodcastKey,
  afterMs: number,
  limit: number,
): Promise<StoredEpisode[]> {
  return db.many(sql`
    select id, guid, audio, digest, pub_date_ms::float8 as "pubDateMs" from podcast_directory.episodes
    where tenant = ${tenant} and podcast_id = ${id} and pub_date_ms > ${afterMs} order by pub_date_ms limit ${limit}`)
}

/** A new or changed episode. */
export type EpisodeUpsert = FeedEpisode & { readonly id: string; readonly pubDateMs: number }

export async function put(db: Db, podcast: PodcastKey, episodes: readonly EpisodeUpsert[], now: Date): Promise<void> {
  if (episodes.length === 0) return
  await db.run(sql`
    insert into podcast_directory.episodes as e (tenant, podcast_id, id, guid, title, description, audio,
      audio_length_sec, pub_date_ms, explicit_content, link, image, transcript_url, maybe_audio_invalid, digest,
      added_at, updated_at)
    select ${podcast.tenant}, ${podcast.id}, id, guid, title, description, audio, "audioLengthSec", "pubDateMs",
      "explicitContent", link, image, "transcriptUrl", "maybeAudioInvalid", digest, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(episodes)}) as n(id text, guid text, title text, description text,
      audio text, "audioLengthSec" integer, "pubDateMs" bigint, "explicitContent" boolean, link text, image text,
      "transcriptUrl" text, "maybeAudioInvalid" boolean, digest text)
    on conflict (tenant, id) do update set guid = excluded.guid, title = excluded.title,
      description = excluded.description, audio = excluded.audio, audio_length_sec = excluded.audio_length_sec,
      pub_date_ms = excluded.pub_date_ms, explicit_content = excluded.explicit_content, link = excluded.link,
      image = excluded.image, transcript_url = excluded.transcript_url,
      transcript = case when e.transcript_url is not distinct from excluded.transcript_url then e.transcript end,
      maybe_audio_invalid = excluded.maybe_audio_invalid, digest = excluded.digest, updated_at = excluded.updated_at`)
}

export async function remove(db: Db, tenant: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.run(sql`delete from podcast_directory.episodes where tenant = ${tenant} and id = any(${ids})`)
}

/** Deletes a batch of episodes. Returns their number. */
export function removeBatch(db: Db, { tenant, id }: PodcastKey, limit: number): Promise<number> {
  return db.run(sql`
    delete from podcast_directory.episodes where tenant = ${tenant} and id in (
      select id from podcast_directory.episodes where tenant = ${tenant} and podcast_id = ${id} limit ${limit})`)
}
