import type { EpisodeText } from '../episodes/episode.ts'
import type { PodcastText } from '../podcasts/podcast.ts'

/** An episode as a feed has it; the time is missing where the feed has none that can be. */
export type FeedEpisode = Omit<EpisodeText, 'pubDateMs'> & {
  readonly pubDateMs: number | undefined
  /** Of all that the feed says of it. */
  readonly digest: string
}

/** As much of an episode as tells which one it is and whether it has changed. */
export type Outline = Pick<FeedEpisode, 'guid' | 'audio' | 'digest' | 'pubDateMs'>

/** What a feed says of itself. */
export interface FeedHead {
  readonly podcast: PodcastText
  /** False if there was more than could be read. */
  readonly complete: boolean
  /** Where its owner says that it is to be found from now on. */
  readonly movedTo: string
  /** The owner asks directories not to list it. */
  readonly blocked: boolean
  /** The owner asks not to be visited more often. */
  readonly ttlMs: number
}

/** All that a feed says. */
export interface Feed extends FeedHead {
  /** In the feed's order; of several with one name the first. */
  readonly episodes: readonly FeedEpisode[]
}

/** A feed that was read elsewhere: its texts are handed over when they are asked for. */
export interface OpenFeed extends FeedHead {
  readonly outlines: readonly Outline[]
  episodes(positions: readonly number[]): Promise<readonly FeedEpisode[]>
}

/** Why a document is no podcast's feed, for the one who submitted it. */
export class NotAPodcast extends Error {}

/** What is taken of a feed at most. */
export const limits = {
  bytes: 16 * 1024 * 1024,
  episodes: 25_000,
  title: 500,
  name: 200,
  html: 20_000,
  guid: 1_000,
} as const
