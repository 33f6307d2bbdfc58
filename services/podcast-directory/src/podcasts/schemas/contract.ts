import { identifier, named, oneOf, Type } from '@icosa/contract'

/** Boolean of the API. */
export const flag = Type.Integer({ minimum: 0, maximum: 1 })
/** Milliseconds since 1970, within the range of JavaScript. */
export const timeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const id = { pattern: '^[0-9a-f]{32}$' }
export const podcastId = identifier('podcast', id)
export const episodeId = identifier('episode', id)
/** Comma-separated ids. */
export const idList = '^[\\w,\\s-]*$'
export const pageNumber = Type.Integer({ minimum: 1, maximum: 10_000 })
export const pageFields = {
  page_number: Type.Integer(),
  has_next: Type.Boolean(),
  next_page_number: Type.Integer(),
  has_previous: Type.Boolean(),
  previous_page_number: Type.Integer(),
}

/** A link or handle for each platform; empty if there is none. */
export const PodcastExtra = named('PodcastExtraField', {
  amazon_music_url: Type.String(),
  facebook_handle: Type.String(),
  google_url: Type.String(),
  instagram_handle: Type.String(),
  linkedin_url: Type.String(),
  patreon_handle: Type.String(),
  spotify_url: Type.String(),
  twitter_handle: Type.String(),
  url1: Type.String(),
  url2: Type.String(),
  url3: Type.String(),
  wechat_handle: Type.String(),
  youtube_url: Type.String(),
})

export const PodcastLookingFor = named('PodcastLookingForField', {
  cohosts: Type.Boolean(),
  cross_promotion: Type.Boolean(),
  guests: Type.Boolean(),
  sponsors: Type.Boolean(),
})

const summaryFields = {
  id: Type.String(),
  title: Type.String(),
  publisher: Type.String(),
  image: Type.String(),
  thumbnail: Type.String(),
  vendor_url: Type.String(),
  listen_score: Type.Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  listen_score_global_rank: Type.Nullable(Type.String()),
}

export const podcastFields = {
  ...summaryFields,
  audio_length_sec: Type.Integer({ description: 'Average.' }),
  country: Type.String(),
  description: Type.String(),
  earliest_pub_date_ms: Type.Integer(),
  email: Type.String(),
  explicit_content: Type.Boolean(),
  extra: PodcastExtra,
  genre_ids: Type.Array(Type.Integer()),
  has_guest_interviews: Type.Boolean(),
  has_sponsors: Type.Boolean(),
  is_claimed: Type.Boolean(),
  storeone_id: Type.Nullable(Type.Integer()),
  language: Type.String(),
  latest_episode_id: Type.Nullable(Type.String()),
  latest_pub_date_ms: Type.Integer(),
  looking_for: PodcastLookingFor,
  rss: Type.String(),
  total_episodes: Type.Integer(),
  type: oneOf('episodic', 'serial'),
  update_frequency_hours: Type.Integer(),
  website: Type.String(),
}

/** The short summary: in episodes, curated lists and submissions. */
export const PodcastMinimum = named('PodcastMinimum', summaryFields)

/** A podcast without its episodes: in lists. */
export const PodcastSimple = named('PodcastSimple', podcastFields)
