export type PodcastStatus = 'in review' | 'listed' | 'rejected' | 'deleted'

/** What a podcast is looking for, as its owner says. */
export interface LookingFor {
  readonly cohosts: boolean
  readonly cross_promotion: boolean
  readonly sponsors: boolean
  readonly guests: boolean
}

/** What a feed says of its podcast. */
export interface PodcastText {
  readonly title: string
  readonly publisher: string
  /** HTML, as the feed has it. */
  readonly description: string
  /** The artwork where its maker has it. */
  readonly image: string
  /** In the API's words, such as 'English'; empty if unknown. */
  readonly language: string
  /** Two small letters, such as 'us'; empty if unknown. */
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
  /** One link or handle for each platform elsewhere. */
  readonly extra: Readonly<Record<string, string>>
}

/** What is worked out of a podcast's episodes. */
export interface PodcastFigures {
  readonly totalEpisodes: number
  /** On average. */
  readonly audioLengthSec: number
  readonly updateFrequencyHours: number
  readonly latestEpisodeId: string | null
  readonly latestPubDateMs: number
  readonly earliestPubDateMs: number
}

/** A podcast as it is stored. */
export interface Podcast extends PodcastText, PodcastFigures {
  readonly tenant: string
  readonly id: string
  readonly status: PodcastStatus
  readonly reason: string
  readonly rss: string
  /** Which thumbnail lies in the blobs, if any does. */
  readonly thumbnail: string | null
  readonly isClaimed: boolean
  readonly lookingFor: LookingFor
  readonly listenScore: number | null
  readonly listenScoreGlobalRank: string | null
  readonly addedAt: Date
  readonly updatedAt: Date
}

/** The part of a podcast that short summaries show. */
export type PodcastSummary = Pick<
  Podcast,
  'id' | 'title' | 'publisher' | 'image' | 'thumbnail' | 'listenScore' | 'listenScoreGlobalRank'
>
