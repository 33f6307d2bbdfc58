import { join, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Podcast } from './podcast.ts'

/** Columns of `podcasts p`, named as in `Podcast`. */
export const podcastColumns: Sql = sql`p.tenant, p.id, p.status, p.reason, p.rss, p.title, p.publisher, p.description,
  p.image, p.thumbnail, p.language, p.region, p.genre_ids as "genreIds", p.explicit_content as "explicitContent",
  p.website, p.domain, p.email, p.type, p.storeone_id::float8 as "storeoneId", p.storetwo_id as "storetwoId",
  p.podcast_guid as "podcastGuid", p.has_guest_interviews as "hasGuestInterviews", p.has_sponsors as "hasSponsors",
  p.is_claimed as "isClaimed", p.looking_for as "lookingFor", p.extra, p.total_episodes as "totalEpisodes",
  p.audio_length_sec as "audioLengthSec", p.update_frequency_hours as "updateFrequencyHours",
  p.latest_episode_id as "latestEpisodeId", p.latest_pub_date_ms::float8 as "latestPubDateMs",
  p.earliest_pub_date_ms::float8 as "earliestPubDateMs", p.listen_score as "listenScore",
  p.listen_score_global_rank as "listenScoreGlobalRank", p.added_at as "addedAt", p.updated_at as "updatedAt"`

/** A podcast in any state. */
export function find(db: ReadingDb, tenant: string, id: string): Promise<Podcast | undefined> {
  return db.maybe(sql`
    select ${podcastColumns} from podcast_directory.podcasts p where p.tenant = ${tenant} and p.id = ${id}`)
}

/** A podcast by its feed URL, unless it is deleted. */
export function findByRss(db: ReadingDb, tenant: string, rss: string): Promise<Podcast | undefined> {
  return db.maybe(sql`
    select ${podcastColumns} from podcast_directory.podcasts p
    where p.tenant = ${tenant} and md5(p.rss) = md5(${rss}) and p.status <> 'deleted'`)
}

/** Unordered. */
export function listed(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Podcast[]> {
  return db.many(sql`
    select ${podcastColumns} from podcast_directory.podcasts p
    where p.tenant = ${tenant} and p.id = any(${ids}) and p.status = 'listed'`)
}

export interface PodcastLookup {
  readonly ids: readonly string[]
  readonly rsses: readonly string[]
  readonly storeoneIds: readonly string[]
  readonly storetwoIds: readonly string[]
}

/** Listed podcasts by ids here and on other platforms. */
export function listedBy(db: ReadingDb, tenant: string, lookup: PodcastLookup, limit: number): Promise<Podcast[]> {
  const conditions = [
    sql`p.id = any(${lookup.ids})`,
    sql`md5(p.rss) = any(select md5(unnest(${lookup.rsses}::text[])))`,
    sql`p.storeone_id = any(${lookup.storeoneIds}::bigint[])`,
    sql`p.storetwo_id = any(${lookup.storetwoIds})`,
  ]
  return db.many(sql`
    select ${podcastColumns} from podcast_directory.podcasts p
    where p.tenant = ${tenant} and p.status = 'listed' and (${join(conditions, ' or ')}) order by p.id limit ${limit}`)
}

/** A page of a domain's listed podcasts. */
export function ofDomain(
  db: ReadingDb,
  tenant: string,
  domain: string,
  offset: number,
  limit: number,
): Promise<Podcast[]> {
  return db.many(sql`
    select ${podcastColumns} from podcast_directory.podcasts p
    where p.tenant = ${tenant} and p.domain = ${domain} and p.domain <> '' and p.status = 'listed'
    order by p.id offset ${offset} limit ${limit}`)
}

export async function thumbnailsOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ thumbnail: string }>(sql`
    select thumbnail from podcast_directory.podcasts where tenant = ${tenant} and thumbnail is not null`)
  return rows.map(({ thumbnail }) => thumbnail)
}
