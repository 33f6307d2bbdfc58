import { createHash } from 'node:crypto'
import type { Episode } from '../episodes/episode.ts'
import { everything } from '../podcasts/genres.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import { randomOf, zipf } from './random.ts'
import { catalogGenres, type Speaker, speakerOf } from './words.ts'

export interface SyntheticOptions {
  readonly seed: number
  readonly podcasts: number
  /** In total. */
  readonly episodes: number
}

type Stored = 'tenant' | 'addedAt' | 'updatedAt'
export type SyntheticPodcast = Omit<Podcast, Stored>
export type SyntheticEpisode = Omit<Episode, Stored>

/** Part of every text of the catalog. */
export const disclaimer = 'This is a synthetic podcast, generated to try the directory.'

/** The last day of the catalog, fixed so that feeds are reproducible. */
const lastDayMs = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000
/** No show is older than twenty years. */
const maxHours = 20 * 365 * 24
const rhythms = [24, 24 * 7, 24 * 7, 24 * 14, 24 * 30]

const idOf = (...parts: readonly (string | number)[]) => createHash('md5').update(parts.join(':')).digest('hex')

/** Most frequent genre first. */
const genreRank = zipf(catalogGenres.length)

/** A podcast with its speaker, determined by seed and number. */
export interface Show {
  readonly podcast: SyntheticPodcast
  readonly speaker: Speaker
  readonly seed: number
  readonly number: number
}

/** A few podcasts have most of the episodes; each has at least one if there are enough. */
export function episodeCounts({ podcasts, episodes }: Pick<SyntheticOptions, 'podcasts' | 'episodes'>): number[] {
  const weights = Array.from({ length: podcasts }, (_, rank) => (rank + 1) ** -0.6)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const spare = Math.max(0, episodes - podcasts)
  const counts = weights.map((weight) => Math.min(1, episodes / podcasts) + Math.floor((weight / sum) * spare))
  const rounded = counts.map(Math.floor)
  let missing = episodes - rounded.reduce((total, count) => total + count, 0)
  for (let place = 0; missing > 0; place = (place + 1) % podcasts, missing--) rounded[place] = (rounded[place] ?? 0) + 1
  return rounded
}

export function showOf(seed: number, number: number, totalEpisodes: number): Show {
  const random = randomOf(seed, 1, number)
  const genreId = catalogGenres[genreRank(random)] as number
  const second = catalogGenres[genreRank(random)] as number
  const speaker = speakerOf(random, genreId)
  const everyHours = Math.max(1, Math.min(random.pick(rhythms), Math.floor(maxHours / totalEpisodes)))
  const latestPubDateMs = lastDayMs - random.below(300) * 24 * hourMs
  const id = idOf(seed, 'podcast', number)
  const website = `https://show-${number}.example/`
  const podcast: SyntheticPodcast = {
    id,
    status: 'listed',
    reason: '',
    rss: `${website}feed.xml`,
    title: speaker.title(random, 2 + random.below(4)),
    publisher: `${speaker.title(random, 1)} ${speaker.title(random, 1)}`,
    description: `<p>${speaker.words(random, Math.ceil(random.around(50, 0.5)))}.</p><p>${disclaimer}</p>`,
    image: `${website}artwork.png`,
    thumbnail: null,
    language: speaker.language,
    region: speaker.region,
    genreIds: [...new Set([genreId, ...(random.chance(0.4) ? [second] : []), everything.id])],
    explicitContent: random.chance(0.12),
    website,
    domain: `show-${number}.example`,
    email: `owner@show-${number}.example`,
    type: random.chance(0.1) ? 'serial' : 'episodic',
    storeoneId: 1_000_000_000 + number,
    storetwoId: idOf(seed, 'storetwo', number).slice(0, 22),
    podcastGuid: null,
    hasGuestInterviews: random.chance(0.4),
    hasSponsors: random.chance(0.25),
    isClaimed: random.chance(0.1),
    lookingFor: { cohosts: false, cross_promotion: random.chance(0.05), sponsors: random.chance(0.1), guests: false },
    extra: {},
    totalEpisodes,
    audioLengthSec: Math.round(Math.min(14_400, random.around(2_100, 0.6))),
    updateFrequencyHours: everyHours,
    latestEpisodeId: totalEpisodes > 0 ? idOf(seed, number, totalEpisodes - 1) : null,
    latestPubDateMs: totalEpisodes > 0 ? latestPubDateMs : 0,
    earliestPubDateMs: totalEpisodes > 0 ? latestPubDateMs - (totalEpisodes - 1) * everyHours * hourMs : 0,
    listenScore: random.below(90),
    listenScoreGlobalRank: null,
  }
  return { podcast, speaker, seed, number }
}

/** The nth episode of a show, oldest first, at regular intervals, so that times are unique. */
export function episodeOf({ podcast, speaker, seed, number }: Show, nth: number): SyntheticEpisode {
  const random = randomOf(seed, 2, number, nth)
  const { website, earliestPubDateMs, updateFrequencyHours, audioLengthSec } = podcast
  const subject = speaker.title(random, 2 + random.below(6))
  const body = speaker.words(random, Math.ceil(random.around(40, 0.6)))
  return {
    id: idOf(seed, number, nth),
    podcastId: podcast.id,
    guid: `show-${number}/episode-${nth}`,
    title: random.chance(0.4) ? `${nth + 1}: ${subject}` : subject,
    description: `<p>${body}.</p><p>${disclaimer}</p>`,
    audio: `${website}audio/${nth}.wav`,
    audioLengthSec: Math.max(60, Math.round(random.around(audioLengthSec, 0.25))),
    pubDateMs: earliestPubDateMs + nth * updateFrequencyHours * hourMs,
    explicitContent: podcast.explicitContent && random.chance(0.8),
    link: `${website}episodes/${nth}`,
    image: '',
    transcriptUrl: null,
    maybeAudioInvalid: false,
  }
}

export function* syntheticShows(options: SyntheticOptions): Generator<Show> {
  const counts = episodeCounts(options)
  for (const [number, count] of counts.entries()) yield showOf(options.seed, number, count)
}

/** Podcasts of `syntheticEpisodes`, in the same order. */
export function* syntheticPodcasts(options: SyntheticOptions): Generator<SyntheticPodcast> {
  for (const { podcast } of syntheticShows(options)) yield podcast
}

/** Episodes with realistic word frequencies, podcast by podcast, determined by the options. */
export function* syntheticEpisodes(options: SyntheticOptions): Generator<SyntheticEpisode> {
  for (const show of syntheticShows(options)) {
    for (let nth = 0; nth < show.podcast.totalEpisodes; nth++) yield episodeOf(show, nth)
  }
}
