/** Fields of an episode that come from its feed. */
export interface EpisodeText {
  /** Unique id in the feed; if missing, the URL of the audio. */
  readonly guid: string
  readonly title: string
  /** Unmodified HTML. */
  readonly description: string
  readonly audio: string
  readonly audioLengthSec: number
  readonly pubDateMs: number
  readonly explicitContent: boolean
  readonly link: string
  /** Empty if the podcast's is used. */
  readonly image: string
  readonly transcriptUrl: string | null
  readonly maybeAudioInvalid: boolean
}

/** A stored episode without its transcript. */
export interface Episode extends EpisodeText {
  readonly tenant: string
  readonly id: string
  readonly podcastId: string
  readonly addedAt: Date
  readonly updatedAt: Date
}
