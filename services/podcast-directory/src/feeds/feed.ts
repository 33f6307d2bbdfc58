import type { EpisodeText } from '../episodes/episode.ts'
import type { PodcastText } from '../podcasts/podcast.ts'

/** An episode of a feed; the time is undefined if the feed has no valid one. */
export type FeedEpisode = Omit<EpisodeText, 'pubDateMs'> & {
  readonly pubDateMs: number | undefined
  /** Hash of all fields. */
  readonly digest: string
}

/** The fields that identify an episode and show whether it has changed. */
export type Outline = Pick<FeedEpisode, 'guid' | 'audio' | 'digest' | 'pubDateMs'>

/** Fields of the feed itself. */
export interface FeedHead {
  readonly podcast: PodcastText
  /** False if not all of it could be read. */
  readonly complete: boolean
  /** New URL given by the owner, or empty. */
  readonly movedTo: string
  /** The owner asks directories not to list it. */
  readonly blocked: boolean
  /** The owner asks not to be visited more often. */
  readonly ttlMs: number
}

export interface Feed extends FeedHead {
  /** In feed order, without duplicates. */
  readonly episodes: readonly FeedEpisode[]
}

/** A feed in a parser thread, which returns episodes on request. */
export interface OpenFeed extends FeedHead {
  readonly outlines: readonly Outline[]
  episodes(positions: readonly number[]): Promise<readonly FeedEpisode[]>
}

/** Explains to the submitter why a document is not a podcast feed. */
export class NotAPodcast extends Error {}

export const limits = {
  bytes: 16 * 1024 * 1024,
  episodes: 25_000,
  title: 500,
  name: 200,
  html: 20_000,
  guid: 1_000,
} as const
