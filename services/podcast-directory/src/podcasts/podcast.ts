export type PodcastStatus = 'in review' | 'listed' | 'rejected' | 'deleted'

/** What the owner of a podcast is looking for. */
export interface LookingFor {
  readonly cohosts: boolean
  readonly cross_promotion: boolean
  readonly sponsors: boolean
  readonly guests: boolean
}

/** Fields of a podcast that come from its feed. */
export interface PodcastText {
  readonly title: string
  readonly publisher: string
  /** Unmodified HTML. */
  readonly description: string
  /** Original URL of the artwork. */
  readonly image: string
  /** The API's name, such as 'English'; empty if unknown. */
  readonly language: string
  /** Two lower-case letters, such as 'us'; empty if unknown. */
  readonly region: string
  readonly genreIds: readonly number[]
  readonly explicitContent: boolean
  readonly website: string
  /** The website's host without 'www.'. */
  readonly domain: string
  readonly email: string
  readonly type: 'episodic' | 'serial'
  readonly storeoneId: number | null
  readonly storetwoId: string | null
  readonly podcastGuid: string | null
  readonly hasGuestInterviews: boolean
  readonly hasSponsors: boolean
  /** A link or handle for each platform. */
  readonly extra: Readonly<Record<string, string>>
}

/** Statistics of a podcast's episodes. */
export interface PodcastFigures {
  readonly totalEpisodes: number
  /** Average. */
  readonly audioLengthSec: number
  readonly updateFrequencyHours: number
  readonly latestEpisodeId: string | null
  readonly latestPubDateMs: number
  readonly earliestPubDateMs: number
}

/** A stored podcast. */
export interface Podcast extends PodcastText, PodcastFigures {
  readonly tenant: string
  readonly id: string
  readonly status: PodcastStatus
  readonly reason: string
  readonly rss: string
  /** Name of the stored thumbnail, if any. */
  readonly thumbnail: string | null
  readonly isClaimed: boolean
  readonly lookingFor: LookingFor
  readonly listenScore: number | null
  readonly listenScoreGlobalRank: string | null
  readonly addedAt: Date
  readonly updatedAt: Date
}

/** Fields of short summaries. */
export type PodcastSummary = Pick<
  Podcast,
  'id' | 'title' | 'publisher' | 'image' | 'thumbnail' | 'listenScore' | 'listenScoreGlobalRank'
>
