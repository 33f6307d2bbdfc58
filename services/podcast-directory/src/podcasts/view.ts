import type { Static } from '@icosa/contract'
import type { Links } from '../links.ts'
import type { Podcast, PodcastSummary } from './podcast.ts'
import { countryOf } from './regions.ts'
import type { PodcastMinimum, PodcastSimple } from './schemas/contract.ts'

const noExtra: Static<typeof PodcastSimple>['extra'] = {
  amazon_music_url: '',
  facebook_handle: '',
  google_url: '',
  instagram_handle: '',
  linkedin_url: '',
  patreon_handle: '',
  spotify_url: '',
  twitter_handle: '',
  url1: '',
  url2: '',
  url3: '',
  wechat_handle: '',
  youtube_url: '',
}

export const thumbnailOf = ({ image, thumbnail }: Pick<PodcastSummary, 'image' | 'thumbnail'>, links: Links) =>
  thumbnail === null ? image : links.thumbnail(thumbnail)

/** The short summary of a podcast. */
export function toPodcastMinimum(podcast: PodcastSummary, links: Links): Static<typeof PodcastMinimum> {
  return {
    id: podcast.id,
    title: podcast.title,
    publisher: podcast.publisher,
    image: podcast.image,
    thumbnail: thumbnailOf(podcast, links),
    vendor_url: links.podcast(podcast.id),
    listen_score: podcast.listenScore,
    listen_score_global_rank: podcast.listenScoreGlobalRank,
  }
}

/** A podcast in a list. */
export function toPodcastSimple(podcast: Podcast, links: Links): Static<typeof PodcastSimple> {
  return {
    ...toPodcastMinimum(podcast, links),
    audio_length_sec: podcast.audioLengthSec,
    country: countryOf(podcast.region),
    description: podcast.description,
    earliest_pub_date_ms: podcast.earliestPubDateMs,
    email: podcast.email,
    explicit_content: podcast.explicitContent,
    extra: { ...noExtra, ...podcast.extra },
    genre_ids: [...podcast.genreIds],
    has_guest_interviews: podcast.hasGuestInterviews,
    has_sponsors: podcast.hasSponsors,
    is_claimed: podcast.isClaimed,
    storeone_id: podcast.storeoneId,
    language: podcast.language,
    latest_episode_id: podcast.latestEpisodeId,
    latest_pub_date_ms: podcast.latestPubDateMs,
    looking_for: { ...podcast.lookingFor },
    rss: podcast.rss,
    total_episodes: podcast.totalEpisodes,
    type: podcast.type,
    update_frequency_hours: podcast.updateFrequencyHours,
    website: podcast.website,
  }
}
