import type { Static } from '@icosa/contract'
import type { Links } from '../links.ts'
import type { PodcastSummary } from '../podcasts/podcast.ts'
import { thumbnailOf, toPodcastMinimum } from '../podcasts/view.ts'
import type { EpisodeMinimum, EpisodeSimple } from './contract.ts'
import type { Episode } from './episode.ts'

type PodcastOf = Pick<PodcastSummary, 'image' | 'thumbnail'>

/** An episode inside its podcast, with the podcast's picture as fallback. */
export function toEpisodeMinimum(episode: Episode, podcast: PodcastOf, links: Links): Static<typeof EpisodeMinimum> {
  return {
    id: episode.id,
    title: episode.title,
    description: episode.description,
    audio: episode.audio,
    audio_length_sec: episode.audioLengthSec,
    explicit_content: episode.explicitContent,
    image: episode.image || podcast.image,
    thumbnail: episode.image || thumbnailOf(podcast, links),
    link: episode.link,
    maybe_audio_invalid: episode.maybeAudioInvalid,
    pub_date_ms: episode.pubDateMs,
    vendor_url: links.episode(episode.id),
    vendor_edit_url: links.refresh(episode.podcastId),
  }
}

/** An episode in a list, with a summary of its podcast. */
export function toEpisodeSimple(episode: Episode, podcast: PodcastSummary, links: Links): Static<typeof EpisodeSimple> {
  return { ...toEpisodeMinimum(episode, podcast, links), podcast: toPodcastMinimum(podcast, links) }
}
