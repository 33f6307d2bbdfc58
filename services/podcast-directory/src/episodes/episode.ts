/** What a feed says of an episode. */
export interface EpisodeText {
  /** The feed's name of the episode; where it has none, the address of the audio. */
  readonly guid: string
  readonly title: string
  /** HTML, as the feed has it. */
  readonly description: string
  readonly audio: string
  readonly audioLengthSec: number
  readonly pubDateMs: number
  readonly explicitContent: boolean
  readonly link: string
  /** Empty: the podcast's. */
  readonly image: string
  readonly transcriptUrl: string | null
  readonly maybeAudioInvalid: boolean
}

/** An episode as it is stored; its transcript is read only where it is asked for. */
export interface Episode extends EpisodeText {
  readonly tenant: string
  readonly id: string
  readonly podcastId: string
  readonly addedAt: Date
  readonly updatedAt: Date
}
