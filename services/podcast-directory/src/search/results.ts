import type { Static } from '@icosa/contract'
import type { Db } from '@icosa/kernel'
import { episodeMinimum } from '../episodes/shown.ts'
import { findAll } from '../episodes/store.ts'
import { curatedListSimple } from '../lists/curated/shown.ts'
import { byIds } from '../lists/curated/store.ts'
import type { ListLinks } from '../lists/links.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import { podcastMinimum, podcastSimple } from '../podcasts/shown.ts'
import { listed } from '../podcasts/store.ts'
import type { CuratedListResult, EpisodeResult, PodcastResult } from './contract.ts'
import { highlighted, markedWords, segment, segments } from './highlight.ts'
import { plainText } from './plain.ts'
import { withTranscripts } from './source-store.ts'
import type { Hit, Wanted } from './wanted.ts'

export interface Showing {
  readonly db: Db
  readonly tenant: string
  readonly wanted: Wanted
  readonly links: ListLinks
}

const mostSegments = 2

export async function episodeResults(
  hits: readonly Hit[],
  { db, tenant, wanted, links }: Showing,
): Promise<Static<typeof EpisodeResult>[]> {
  const words = markedWords(wanted.question)
  const ids = hits.map(({ id }) => id)
  const readEpisodes: typeof withTranscripts = wanted.fields.includes('audio') ? withTranscripts : findAll
  const [found, shows] = await Promise.all([
    readEpisodes(db, tenant, ids),
    listed(db, tenant, [...new Set(hits.map(({ podcastId }) => podcastId))]),
  ])
  const [episodes, podcasts] = [byId(found), byId(shows)]
  return hits.flatMap(({ id, podcastId }) => {
    const episode = episodes.get(id)
    const podcast = podcasts.get(podcastId)
    if (!episode || !podcast) return [] // it went while it was looked for
    const {
      title,
      description,
      vendor_edit_url: _,
      maybe_audio_invalid: __,
      ...rest
    } = episodeMinimum(episode, podcast, links)
    const plain = plainText(description)
    return {
      ...rest,
      title_original: title,
      title_highlighted: highlighted(title, words),
      description_original: plain,
      description_highlighted: segment(plain, words),
      transcripts_highlighted: segments(episode.transcript ?? '', words, mostSegments),
      rss: podcast.rss,
      storeone_id: podcast.storeoneId,
      podcast: podcastOfEpisode(podcast, words, links),
    }
  })
}

function podcastOfEpisode(podcast: Podcast, words: ReadonlySet<string>, links: ListLinks) {
  const { title, publisher, ...rest } = podcastMinimum(podcast, links)
  return {
    ...rest,
    genre_ids: [...podcast.genreIds],
    title_original: title,
    title_highlighted: highlighted(title, words),
    publisher_original: publisher,
    publisher_highlighted: highlighted(publisher, words),
  }
}

export async function podcastResults(
  hits: readonly Hit[],
  { db, tenant, wanted, links }: Showing,
): Promise<Static<typeof PodcastResult>[]> {
  const words = markedWords(wanted.question)
  const podcasts = byId(
    await listed(
      db,
      tenant,
      hits.map(({ id }) => id),
    ),
  )
  return hits.flatMap(({ id }) => {
    const podcast = podcasts.get(id)
    if (!podcast) return []
    const { country, extra, is_claimed, language, looking_for, type, title, publisher, description, ...rest } =
      podcastSimple(podcast, links)
    const plain = plainText(description)
    return {
      ...rest,
      title_original: title,
      title_highlighted: highlighted(title, words),
      publisher_original: publisher,
      publisher_highlighted: highlighted(publisher, words),
      description_original: plain,
      description_highlighted: segment(plain, words),
    }
  })
}

export async function curatedListResults(
  hits: readonly Hit[],
  { db, tenant, wanted, links }: Showing,
): Promise<Static<typeof CuratedListResult>[]> {
  const words = markedWords(wanted.question)
  const lists = byId(
    await byIds(
      db,
      tenant,
      hits.map(({ id }) => id),
    ),
  )
  const found = hits.flatMap(({ id }) => lists.get(id) ?? [])
  const podcasts = byId(await listed(db, tenant, [...new Set(found.flatMap((list) => list.podcastIds))]))
  return found.map((list) => {
    const { title, description, ...rest } = curatedListSimple(list, podcasts, links)
    return {
      ...rest,
      title_original: title,
      title_highlighted: highlighted(title, words),
      description_original: description,
      description_highlighted: segment(description, words),
    }
  })
}

const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]))
