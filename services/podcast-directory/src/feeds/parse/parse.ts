import { createHash } from 'node:crypto'
import { parseRssFeed, type Rss } from 'feedsmith'
import { genreIdsOf } from '../../podcasts/genres.ts'
import { languageOf } from '../../podcasts/languages.ts'
import type { PodcastText } from '../../podcasts/podcast.ts'
import { regionOf } from '../../podcasts/regions.ts'
import { type Feed, type FeedEpisode, limits, NotAPodcast } from '../feed.ts'
import { closing, documentOf, type FeedDocument } from './document.ts'
import { detectLanguage } from './language.ts'
import { platformLinksIn } from './platforms.ts'
import { address, html, line, wordsOf } from './text.ts'

type Channel = Rss.Feed<string>
type Item = NonNullable<Channel['items']>[number]

const itemsPerBatch = 100
/** Number of latest episodes that characterize a podcast. */
const sampleEpisodes = 20
const farAheadMs = 48 * 3_600_000

/** Parses a feed; `url` resolves relative addresses. Throws `NotAPodcast` for other documents. */
export async function parseFeed(text: string, url: string, nowMs: number): Promise<Feed> {
  const document = documentOf(text, limits.episodes)
  const channel = document && parseChannel(document.channel)
  if (!document || !channel) throw new NotAPodcast('The URL does not return a readable RSS feed.')
  const explicit = channel.itunes?.explicit ?? false
  const allEpisodes: FeedEpisode[] = []
  let [broken, guests] = [0, false]
  for (const item of itemsOf(document)) {
    const episode = item && episodeOf(item, url, explicit, nowMs)
    if (item === undefined) broken++
    if (episode && allEpisodes.push(episode) <= sampleEpisodes) guests ||= hasGuest(item)
  }
  const episodes = unique(allEpisodes)
  if (episodes.length === 0) throw new NotAPodcast('The feed has no episodes with audio.')
  return {
    podcast: {
      ...(await podcastOf(channel, document.channel, url, episodes)),
      ...(guests && { hasGuestInterviews: true }),
    },
    episodes,
    complete: document.complete && broken === 0,
    movedTo: address(channel.itunes?.newFeedUrl, url),
    blocked: channel.itunes?.block === true,
    ttlMs: Math.min(Math.max(channel.ttl ?? 0, 0), 7 * 24 * 60) * 60_000 || 0,
  }
}

function parseChannel(document: string): Channel | undefined {
  try {
    return parseRssFeed(document) as Channel
  } catch {
    return undefined
  }
}

/** Parses in batches; a batch that fails, one by one. A broken item is undefined. */
function* itemsOf({ opening, items }: FeedDocument): Generator<Item | undefined> {
  for (let start = 0; start < items.length; start += itemsPerBatch) {
    const batch = items.slice(start, start + itemsPerBatch)
    const parsed = parseChannel(`${opening}${batch.join('')}${closing}`)?.items
    if (parsed?.length === batch.length) yield* parsed
    else for (const item of batch) yield parseChannel(`${opening}${item}${closing}`)?.items?.[0]
  }
}

function episodeOf(item: Item, base: string, explicitFeed: boolean, nowMs: number): FeedEpisode | undefined {
  const enclosure = item.enclosures?.find(({ url }) => address(url, base) !== '')
  const audio = address(enclosure?.url, base)
  if (audio === '') return undefined
  const transcript = item.podcast?.transcripts?.find(({ type }) => /^(text|application)\//.test(type ?? ''))
  const episode = {
    guid: line(item.guid?.value, limits.guid) || audio,
    title: line(item.title ?? item.itunes?.title, limits.title),
    description: html(item.content?.encoded ?? item.description ?? item.itunes?.summary, limits.html),
    audio,
    audioLengthSec: lengthOf(item.itunes?.duration),
    pubDateMs: timeOf(item.pubDate ?? item.dc?.dates?.[0], nowMs),
    explicitContent: item.itunes?.explicit ?? explicitFeed,
    link: address(item.link, base),
    image: address(item.itunes?.image, base),
    transcriptUrl: address(transcript?.url, base) || null,
    maybeAudioInvalid: !/^(audio|video)\/|^$/i.test(enclosure?.type ?? ''),
  }
  return { ...episode, digest: createHash('md5').update(JSON.stringify(episode)).digest('base64url') }
}

const lengthOf = (seconds = 0) => (seconds > 0 && seconds < 1_000_000 ? Math.round(seconds) : 0)

/** Times before 1970 or in the far future are invalid. */
function timeOf(text: string | undefined, nowMs: number): number | undefined {
  const ms = Date.parse(text ?? '')
  return ms > 0 && ms < nowMs + farAheadMs ? ms : undefined
}

/** Episodes with a duplicate guid are identified by their audio, since some feeds use one guid for all. */
function unique(episodes: readonly FeedEpisode[]): FeedEpisode[] {
  const guids = new Set<string>()
  return episodes.flatMap((episode) => {
    const guid = [episode.guid, episode.audio].find((name) => !guids.has(name))
    if (guid === undefined) return []
    guids.add(guid)
    return [{ ...episode, guid }]
  })
}

async function podcastOf(
  channel: Channel,
  source: string,
  base: string,
  episodes: readonly FeedEpisode[],
): Promise<PodcastText> {
  const { itunes, podcast } = channel
  const website = address(channel.link, base)
  const title = line(channel.title ?? itunes?.title, limits.title)
  const description = html(channel.description ?? itunes?.summary, limits.html)
  const tag = line(channel.language, 20)
  const categories = (itunes?.categories ?? []).flatMap(({ text, categories: below = [] }) => [
    ...below.flatMap((category) => category.text ?? []),
    text ?? '',
  ])
  const latest = episodes.slice(0, sampleEpisodes).map((episode) => `${episode.title} ${episode.description}`)
  return {
    title,
    publisher: line(itunes?.author ?? itunes?.owner?.name ?? channel.managingEditor?.name, limits.name),
    description,
    image: address(itunes?.image ?? channel.image?.url, base),
    language: languageOf(tag) || (await detectLanguage(wordsOf([title, description, ...latest].join(' ')))),
    region: regionOf(tag),
    genreIds: genreIdsOf([...categories, ...(channel.categories ?? []).flatMap(({ name }) => name ?? [])]),
    explicitContent: itunes?.explicit ?? false,
    website,
    domain: website === '' ? '' : new URL(website).hostname.replace(/^www\./, ''),
    email: line(itunes?.owner?.email ?? channel.managingEditor?.email, limits.name),
    type: itunes?.type?.toLowerCase() === 'serial' ? 'serial' : 'episodic',
    podcastGuid: line(podcast?.guid, 100) || null,
    hasGuestInterviews: mentions(latest, /\binterview(s|ed|ing)?\b|\bguests?\b/i),
    hasSponsors: mentions(latest, /\bsponsor(s|ed|ship)?\b|\bbrought to you by\b|\bpromo code\b/i),
    ...platformLinksIn(source.slice(0, 100_000)),
  }
}

const hasGuest = ({ podcast }: Item) => podcast?.persons?.some(({ role }) => /guest/i.test(role ?? '')) ?? false

/** Whether at least a third of the texts match. */
const mentions = (texts: readonly string[], words: RegExp) =>
  texts.length > 0 && texts.filter((text) => words.test(text)).length >= texts.length / 3
