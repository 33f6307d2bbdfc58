import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Podcast, PodcastFigures, PodcastText } from '../../podcasts/podcast.ts'
import { podcastColumns } from '../../podcasts/store.ts'
import type { PodcastKey } from './episode-store.ts'

/** Adds a feed for review. Undefined if it exists. */
export function insert(
  db: Db,
  { tenant, id }: PodcastKey,
  { rss, email }: { readonly rss: string; readonly email: string },
  now: Date,
): Promise<Podcast | undefined> {
  return db.maybe(sql`
    insert into podcast_directory.podcasts as p (tenant, id, status, rss, email, added_at, updated_at)
    values (${tenant}, ${id}, 'in review', ${rss}, ${email}, ${now}, ${now})
    on conflict do nothing returning ${podcastColumns}`)
}

/** Locks the row until the transaction ends. */
export function lock(db: Db, { tenant, id }: PodcastKey): Promise<Podcast | undefined> {
  return db.maybe(sql`
    select ${podcastColumns} from podcast_directory.podcasts p where p.tenant = ${tenant} and p.id = ${id}
    for no key update`)
}

export async function setStatus(
  db: Db,
  { tenant, id }: PodcastKey,
  status: Podcast['status'],
  reason: string,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update podcast_directory.podcasts set status = ${status}, reason = ${reason}, updated_at = ${now}
    where tenant = ${tenant} and id = ${id}`)
}

/** False if another podcast of the tenant has the address. */
export async function move(db: Db, { tenant, id }: PodcastKey, rss: string): Promise<boolean> {
  const moved = await db.run(sql`
    update podcast_directory.podcasts set rss = ${rss} where tenant = ${tenant} and id = ${id} and not exists (
      select from podcast_directory.podcasts other
      where other.tenant = ${tenant} and md5(other.rss) = md5(${rss}) and other.id <> ${id}
        and other.status <> 'deleted')`)
  return moved === 1
}

/** Statistics of a podcast's episodes; the frequency is the median interval of the latest twenty-one. */
export function figures(db: ReadingDb, { tenant, id }: PodcastKey): Promise<PodcastFigures> {
  const own = sql`tenant = ${tenant} and podcast_id = ${id}`
  return db.one(sql`
    select count(*)::int as "totalEpisodes",
      coalesce(round(avg(nullif(audio_length_sec, 0))), 0)::int as "audioLengthSec",
      coalesce(max(pub_date_ms), 0)::float8 as "latestPubDateMs",
      coalesce(min(pub_date_ms), 0)::float8 as "earliestPubDateMs",
      (select id from podcast_directory.episodes where ${own} order by pub_date_ms desc limit 1) as "latestEpisodeId",
      coalesce((
        select round(percentile_cont(0.5) within group (order by gap) / 3600000) from (
          select pub_date_ms - lead(pub_date_ms) over (order by pub_date_ms desc) as gap from (
            select pub_date_ms from podcast_directory.episodes where ${own}
            order by pub_date_ms desc limit 21) as latest) as gaps), 0)::int as "updateFrequencyHours"
    from podcast_directory.episodes where ${own}`)
}

/** Lists a podcast with its texts and statistics. */
export async function list(
  db: Db,
  { tenant, id }: PodcastKey,
  text: PodcastText,
  sums: PodcastFigures,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update podcast_directory.podcasts set status = 'listed', reason = '', title = ${text.title},
      publisher = ${text.publisher}, description = ${text.description}, image = ${text.image},
      language = ${text.language}, region = ${text.region}, genre_ids = ${text.genreIds},
      explicit_content = ${text.explicitContent}, website = ${text.website}, domain = ${text.domain},
      email = ${text.email}, type = ${text.type}, storeone_id = ${text.storeoneId}, storetwo_id = ${text.storetwoId},
      podcast_guid = ${text.podcastGuid}, has_guest_interviews = ${text.hasGuestInterviews},
      has_sponsors = ${text.hasSponsors}, extra = ${JSON.stringify(text.extra)},
      total_episodes = ${sums.totalEpisodes}, audio_length_sec = ${sums.audioLengthSec},
      update_frequency_hours = ${sums.updateFrequencyHours}, latest_episode_id = ${sums.latestEpisodeId},
      latest_pub_date_ms = ${sums.latestPubDateMs}, earliest_pub_date_ms = ${sums.earliestPubDateMs},
      updated_at = ${now}
    where tenant = ${tenant} and id = ${id}`)
}

export async function setThumbnail(db: Db, { tenant, id }: PodcastKey, thumbnail: string): Promise<void> {
  await db.run(sql`
    update podcast_directory.podcasts set thumbnail = ${thumbnail} where tenant = ${tenant} and id = ${id}`)
}
