import { type ReadingDb, sql } from '@icosa/kernel'
import type { Episode } from '../../episodes/episode.ts'
import { episodeColumns } from '../../episodes/store.ts'
import type { Source } from './document.ts'
import { plainText } from './plain-text.ts'
import { facet } from './shelf.ts'

export interface Key {
  readonly tenant: string
  readonly id: string
}

/** Searchable length of a transcript. */
const transcriptLimit = 200_000

/** Fields that an episode inherits from its podcast. */
interface Inherited {
  readonly podcastTitle: string
  readonly publisher: string
  readonly language: string
  readonly region: string
  readonly genreIds: readonly number[]
  readonly explicit: boolean
  readonly interviews: boolean
  readonly sponsored: boolean
  readonly score: number | null
  readonly publishedMs: number
}

const inherited = sql`p.title as "podcastTitle", p.publisher, p.language, p.region, p.genre_ids as "genreIds",
  p.has_guest_interviews as interviews, p.has_sponsors as sponsored, p.listen_score as score`

interface EpisodeRow extends Inherited, Key {
  readonly podcastId: string
  readonly title: string
  readonly description: string
  readonly transcript: string | null
  readonly lengthSec: number
}

const episodeSourceColumns = sql`e.tenant, e.id, e.podcast_id as "podcastId", e.title, e.description,
  left(e.transcript, ${transcriptLimit}) as transcript, e.pub_date_ms::float8 as "publishedMs",
  e.audio_length_sec as "lengthSec", e.explicit_content or p.explicit_content as explicit, ${inherited}`

/** Episodes whose podcast is listed. */
export async function episodes(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Source[]> {
  const rows = await db.many<EpisodeRow>(sql`
    select ${episodeSourceColumns}
    from unnest(${ids}::text[]) as requested(id)
      join podcast_directory.episodes e on e.tenant = ${tenant} and e.id = requested.id
      join podcast_directory.podcasts p on p.tenant = e.tenant and p.id = e.podcast_id and p.status = 'listed'`)
  return rows.map(episodeSource)
}

/** A batch of a podcast's episodes, in id order. */
export async function episodesOf(db: ReadingDb, podcast: Key, afterId: string, limit: number): Promise<Source[]> {
  const rows = await db.many<EpisodeRow>(sql`
    select ${episodeSourceColumns}
    from (
      select * from podcast_directory.episodes
      where tenant = ${podcast.tenant} and podcast_id = ${podcast.id} and id > ${afterId} order by id limit ${limit}
    ) e join podcast_directory.podcasts p on p.tenant = e.tenant and p.id = e.podcast_id and p.status = 'listed'
    order by e.id`)
  return rows.map(episodeSource)
}

function episodeSource(row: EpisodeRow): Source {
  return {
    tenant: row.tenant,
    kind: 'episode',
    id: row.id,
    podcastId: row.podcastId,
    title: row.title,
    author: `${row.podcastTitle} ${row.publisher}`,
    description: plainText(row.description),
    transcript: row.transcript ?? '',
    facets: facetsOf(row, row.podcastId),
    score: row.score ?? 0,
    publishedMs: row.publishedMs,
    lengthSec: row.lengthSec,
    episodeCount: 0,
    updateHours: 0,
  }
}

interface PodcastRow extends Inherited, Key {
  readonly description: string
  readonly lengthSec: number
  readonly episodeCount: number
  readonly updateHours: number
  readonly visitedFrom: readonly string[]
}

/** Listed podcasts. */
export async function podcasts(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Source[]> {
  const rows = await db.many<PodcastRow>(sql`
    select p.tenant, p.id, p.description, p.latest_pub_date_ms::float8 as "publishedMs",
      p.audio_length_sec as "lengthSec", p.total_episodes as "episodeCount",
      p.update_frequency_hours as "updateHours", p.explicit_content as explicit, ${inherited},
      array(select distinct v.region from podcast_directory.visits v
        where v.tenant = p.tenant and v.podcast_id = p.id and v.region <> '') as "visitedFrom"
    from unnest(${ids}::text[]) as requested(id)
      join podcast_directory.podcasts p on p.tenant = ${tenant} and p.id = requested.id and p.status = 'listed'`)
  return rows.map(podcastSource)
}

/** Minimum score of podcasts that count as heard everywhere. */
const minGlobalScore = 50

function podcastSource(row: PodcastRow): Source {
  const score = row.score ?? 0
  const heardIn = new Set([...row.visitedFrom, row.region].filter((region) => region !== ''))
  return {
    tenant: row.tenant,
    kind: 'podcast',
    id: row.id,
    podcastId: row.id,
    title: row.podcastTitle,
    author: row.publisher,
    description: plainText(row.description),
    transcript: '',
    facets: [
      ...facetsOf(row, row.id),
      ...Array.from(heardIn, facet.heardIn),
      ...(score >= minGlobalScore ? [facet.heardEverywhere] : []),
    ],
    score,
    publishedMs: row.publishedMs,
    lengthSec: row.lengthSec,
    episodeCount: row.episodeCount,
    updateHours: row.updateHours,
  }
}

function facetsOf(row: Inherited, podcastId: string): string[] {
  return [
    facet.podcast(podcastId),
    ...facet.dates(row.publishedMs),
    ...row.genreIds.map(facet.genre),
    ...(row.language === '' ? [] : [facet.language(row.language)]),
    ...(row.region === '' ? [] : [facet.region(row.region)]),
    ...(row.explicit ? [facet.explicit] : []),
    ...(row.interviews ? [facet.interviews] : []),
    ...(row.sponsored ? [facet.sponsored] : []),
  ]
}

interface ListRow extends Key {
  readonly title: string
  readonly description: string
  readonly publishedMs: number
  readonly podcastTitles: string
}

/** Curated lists, searchable by the titles of their podcasts. */
export async function lists(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Source[]> {
  const rows = await db.many<ListRow>(sql`
    select l.tenant, l.id, l.title, l.description, l.pub_date_ms::float8 as "publishedMs",
      coalesce((select string_agg(p.title, ' ') from podcast_directory.podcasts p
        where p.tenant = l.tenant and p.id = any(l.podcast_ids) and p.status = 'listed'), '') as "podcastTitles"
    from podcast_directory.curated_lists l where l.tenant = ${tenant} and l.id = any(${ids})`)
  return rows.map(({ id, title, description, publishedMs, podcastTitles }) => ({
    tenant,
    kind: 'list',
    id,
    podcastId: '',
    title,
    author: podcastTitles,
    description,
    transcript: '',
    facets: [],
    score: 0,
    publishedMs,
    lengthSec: 0,
    episodeCount: 0,
    updateHours: 0,
  }))
}

export type EpisodeWithTranscript = Episode & { readonly transcript?: string | null }

/** Episodes with the searchable part of their transcripts. */
export function withTranscripts(
  db: ReadingDb,
  tenant: string,
  ids: readonly string[],
): Promise<EpisodeWithTranscript[]> {
  return db.many(sql`
    select ${episodeColumns}, left(e.transcript, ${transcriptLimit}) as transcript from podcast_directory.episodes e
    where e.tenant = ${tenant} and e.id = any(${ids})`)
}
