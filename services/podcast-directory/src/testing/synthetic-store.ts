import { type Db, sql } from '@icosa/kernel'
import {
  type SyntheticEpisode,
  type SyntheticOptions,
  type SyntheticPodcast,
  syntheticEpisodes,
  syntheticPodcasts,
} from '../catalog/synthetic.ts'

const rowsPerBatch = 2_000

/** Inserts a catalog into a tenant's directory without feeds. Returns the number of rows. */
export async function insertSynthetic(
  db: Db,
  tenant: string,
  options: SyntheticOptions,
  now: Date,
): Promise<{ readonly podcasts: number; readonly episodes: number }> {
  let [podcasts, episodes] = [0, 0]
  for (const batch of batched(syntheticPodcasts(options))) podcasts += await insertPodcasts(db, tenant, batch, now)
  for (const batch of batched(syntheticEpisodes(options))) episodes += await insertEpisodes(db, tenant, batch, now)
  return { podcasts, episodes }
}

function* batched<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  for (const item of all) {
    batch.push(item)
    if (batch.length < rowsPerBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function insertPodcasts(db: Db, tenant: string, podcasts: readonly SyntheticPodcast[], now: Date): Promise<number> {
  return db.run(sql`
    with rows as (
      insert into podcast_directory.podcasts (tenant, id, status, rss, title, publisher, description, image, language,
        region, genre_ids, explicit_content, website, domain, email, type, storeone_id, storetwo_id,
        has_guest_interviews, has_sponsors, is_claimed, looking_for, extra, total_episodes, audio_length_sec,
        update_frequency_hours, latest_episode_id, latest_pub_date_ms, earliest_pub_date_ms, listen_score, added_at,
        updated_at)
      select ${tenant}, id, status, rss, title, publisher, description, image, language, region, "genreIds",
        "explicitContent", website, domain, email, type, "storeoneId", "storetwoId", "hasGuestInterviews",
        "hasSponsors", "isClaimed", "lookingFor", extra, "totalEpisodes", "audioLengthSec", "updateFrequencyHours",
        "latestEpisodeId", "latestPubDateMs", "earliestPubDateMs", "listenScore", ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(podcasts)}) as p(id text, status text, rss text, title text,
        publisher text, description text, image text, language text, region text, "genreIds" integer[],
        "explicitContent" boolean, website text, domain text, email text, type text, "storeoneId" bigint,
        "storetwoId" text, "hasGuestInterviews" boolean, "hasSponsors" boolean, "isClaimed" boolean,
        "lookingFor" jsonb, extra jsonb, "totalEpisodes" integer, "audioLengthSec" integer,
        "updateFrequencyHours" integer, "latestEpisodeId" text, "latestPubDateMs" bigint, "earliestPubDateMs" bigint,
        "listenScore" integer)
      returning id)
    insert into podcast_directory.changes (tenant, kind, id, podcast_id) select ${tenant}, 'podcast', id, id from rows`)
}

function insertEpisodes(db: Db, tenant: string, episodes: readonly SyntheticEpisode[], now: Date): Promise<number> {
  const column = <K extends keyof SyntheticEpisode>(name: K) => episodes.map((episode) => episode[name])
  return db.run(sql`
    with rows as (
      insert into podcast_directory.episodes (tenant, id, podcast_id, guid, title, description, audio, audio_length_sec,
        pub_date_ms, explicit_content, link, digest, added_at, updated_at)
      select ${tenant}, e.*, '', ${now}, ${now}
      from unnest(${column('id')}::text[], ${column('podcastId')}::text[], ${column('guid')}::text[],
        ${column('title')}::text[], ${column('description')}::text[], ${column('audio')}::text[],
        ${column('audioLengthSec')}::integer[], ${column('pubDateMs')}::bigint[],
        ${column('explicitContent')}::boolean[], ${column('link')}::text[]) as e
      returning id, podcast_id)
    insert into podcast_directory.changes (tenant, kind, id, podcast_id)
    select ${tenant}, 'episode', id, podcast_id from rows`)
}
