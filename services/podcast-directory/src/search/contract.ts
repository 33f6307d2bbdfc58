import { extension, named, oneOf, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders, originalIdTypes } from '../names.ts'
import { flag, PodcastMinimum, podcastFields, timeMs } from '../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0])

export const searchText = Type.String({ minLength: 1, maxLength: 500 })
/** Limit of paging. */
export const maxOffset = 9_990
const offset = withDefault(Type.Integer({ minimum: 0, maximum: maxOffset }), 0)
const pageSize = withDefault(Type.Integer({ minimum: 1, maximum: 10 }), 10)
const commas = (items: string) =>
  Type.Optional(Type.String({ maxLength: 500, description: `${items}, comma-separated.` }))
const word = Type.Optional(Type.String({ maxLength: 60 }))
const minutes = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In minutes.' }))
const count = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))
const hours = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'In hours.' }))

const { listen_score, listen_score_global_rank } = podcastFields

/** Original text, and HTML with highlighted search words. */
export const foundPodcastFields = {
  id: Type.String(),
  title_original: Type.String(),
  title_highlighted: Type.String(),
  publisher_original: Type.String(),
  publisher_highlighted: Type.String(),
  image: Type.String(),
  thumbnail: Type.String(),
}

const PodcastOfEpisode = named('PodcastOfEpisodeResult', {
  ...foundPodcastFields,
  genre_ids: Type.Array(Type.Integer()),
  vendor_url: Type.String(),
  listen_score,
  listen_score_global_rank,
})

export const EpisodeResult = named('EpisodeSearchResult', {
  id: Type.String(),
  title_original: Type.String(),
  title_highlighted: Type.String(),
  description_original: Type.String(),
  description_highlighted: Type.String(),
  transcripts_highlighted: Type.Array(Type.String()),
  audio: Type.String(),
  audio_length_sec: Type.Integer(),
  explicit_content: Type.Boolean(),
  image: Type.String(),
  thumbnail: Type.String(),
  link: Type.String(),
  pub_date_ms: Type.Integer(),
  rss: Type.String(),
  storeone_id: podcastFields.storeone_id,
  vendor_url: Type.String(),
  podcast: PodcastOfEpisode,
})

export const PodcastResult = named('PodcastSearchResult', {
  id: Type.String(),
  title_original: Type.String(),
  title_highlighted: Type.String(),
  publisher_original: Type.String(),
  publisher_highlighted: Type.String(),
  description_original: Type.String(),
  description_highlighted: Type.String(),
  audio_length_sec: Type.Integer(),
  earliest_pub_date_ms: Type.Integer(),
  latest_pub_date_ms: Type.Integer(),
  latest_episode_id: podcastFields.latest_episode_id,
  email: Type.String(),
  explicit_content: Type.Boolean(),
  genre_ids: Type.Array(Type.Integer()),
  image: Type.String(),
  thumbnail: Type.String(),
  listen_score,
  listen_score_global_rank,
  rss: Type.String(),
  storeone_id: podcastFields.storeone_id,
  total_episodes: Type.Integer(),
  update_frequency_hours: Type.Integer(),
  vendor_url: Type.String(),
  website: Type.String(),
  has_guest_interviews: Type.Boolean(),
  has_sponsors: Type.Boolean(),
})

export const CuratedListResult = named('CuratedListSearchResult', {
  id: Type.String(),
  title_original: Type.String(),
  title_highlighted: Type.String(),
  description_original: Type.String(),
  description_highlighted: Type.String(),
  podcasts: Type.Array(PodcastMinimum),
  pub_date_ms: Type.Integer(),
  source_domain: Type.String(),
  source_url: Type.String(),
  total: Type.Integer(),
  vendor_url: Type.String(),
})

const envelope = {
  count: Type.Integer(),
  total: Type.Integer({ description: 'Exact up to about 2,000, estimated above.' }),
  next_offset: Type.Integer(),
  took: Type.Number({ description: 'In seconds.' }),
}

export const search = {
  search: get('/search', {
    summary: 'Search episodes, podcasts or curated lists.',
    query: Type.Object({
      q: searchText,
      type: withDefault(oneOf('episode', 'podcast', 'curated'), 'episode'),
      sort_by_date: withDefault(flag, 0),
      offset,
      page_size: pageSize,
      len_min: minutes,
      len_max: minutes,
      episode_count_min: count,
      episode_count_max: count,
      update_freq_min: hours,
      update_freq_max: hours,
      genre_ids: commas('Genre ids'),
      published_before: Type.Optional(timeMs),
      published_after: withDefault(timeMs, 0),
      only_in: commas('title, description, author, audio'),
      language: word,
      region: word,
      ocid: commas('Ids of up to 5 podcasts'),
      ncid: commas('Ids of up to 5 podcasts'),
      safe_mode: withDefault(flag, 0),
      unique_podcasts: withDefault(flag, 0),
      interviews_only: withDefault(flag, 0),
      sponsored_only: withDefault(flag, 0),
    }),
    replies: {
      200: named('SearchResponse', {
        ...envelope,
        results: Type.Array(Type.Union(EpisodeResult, PodcastResult, CuratedListResult)),
      }),
    },
  }),
  searchEpisodeTitles: get('/search_episode_titles', {
    summary: 'Search the titles of episodes, of one podcast or of all.',
    query: Type.Object({
      q: searchText,
      podcast_id: Type.Optional(Type.String({ maxLength: 2_000 })),
      podcast_id_type: withDefault(
        oneOf(
          'vendor_id',
          'storeone_id',
          'storetwo_id',
          'rss',
          originalIdTypes.vendor_id,
          originalIdTypes.storeone_id,
          originalIdTypes.storetwo_id,
        ),
        'vendor_id',
      ),
      offset: extension(offset),
      page_size: extension(pageSize),
    }),
    replies: {
      200: named('SearchEpisodeTitlesResponse', { ...envelope, results: Type.Array(EpisodeResult) }),
    },
  }),
}
