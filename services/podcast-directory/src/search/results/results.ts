import type { Static } from '@icosa/contract'
import type { ReadingDb } from '@icosa/kernel'
import { findAll } from '../../episodes/store.ts'
import { toEpisodeMinimum } from '../../episodes/view.ts'
import { byIds } from '../../lists/curated/store.ts'
import { toCuratedListSimple } from '../../lists/curated/view.ts'
import type { ListLinks } from '../../lists/links.ts'
import type { Podcast } from '../../podcasts/podcast.ts'
import { listed } from '../../podcasts/store.ts'
import { toPodcastMinimum, toPodcastSimple } from '../../podcasts/view.ts'
import type { CuratedListResult, EpisodeResult, PodcastResult } from '../contract.ts'
import { plainText } from '../index/plain-text.ts'
import { withTranscripts } from '../index/source-store.ts'
import type { Hit, SearchRequest } from '../question/request.ts'
import { highlighted, markedWords, segment, segments } from './highlight.ts'

export interface ResultContext {
  readonly db: ReadingDb
  readonly tenant: string
  readonly request: SearchRequest
  readonly links: ListLinks
}

const maxSegments = 2

export async function episodeResults(
  hits: readonly Hit[],
  { db, tenant, request, links }: ResultContext,
): Promise<Static<typeof EpisodeResult>[]> {
  const words = markedWords(request.question)
  const ids = hits.map(({ id }) => id)
  const readEpisodes: typeof withTranscripts = request.fields.includes('audio') ? withTranscripts : findAll
  const [episodeRows, podcastRows] = await Promise.all([
    readEpisodes(db, tenant, ids),
    listed(db, tenant, [...new Set(hits.map(({ podcastId }) => podcastId))]),
  ])
  const [episodes, podcasts] = [byId(episodeRows), byId(podcastRows)]
  return hits.flatMap(({ id, podcastId }) => {
    const episode = episodes.get(id)
    const podcast = podcasts.get(podcastId)
    if (!episode || !podcast) return [] // deleted during the search
    const {
      title,
      description,
      vendor_edit_url: _,
      maybe_audio_invalid: __,
      ...rest
    } = toEpisodeMinimum(episode, podcast, links)
    const plain = plainText(description)
    return {
      ...rest,
      title_original: title,
      title_highlighted: highlighted(title, words),
      description_original: plain,
      description_highlighted: segment(plain, words),
      transcripts_highlighted: segments(episode.transcript ?? '', words, maxSegments),
      rss: podcast.rss,
      storeone_id: podcast.storeoneId,
      podcast: podcastOfEpisode(podcast, words, links),
    }
  })
}

function podcastOfEpisode(podcast: Podcast, words: ReadonlySet<string>, links: ListLinks) {
  const { title, publisher, ...rest } = toPodcastMinimum(podcast, links)
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
  { db, tenant, request, links }: ResultContext,
): Promise<Static<typeof PodcastResult>[]> {
  const words = markedWords(request.question)
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
      toPodcastSimple(podcast, links)
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
  { db, tenant, request, links }: ResultContext,
): Promise<Static<typeof CuratedListResult>[]> {
  const words = markedWords(request.question)
  const lists = byId(
    await byIds(
      db,
      tenant,
      hits.map(({ id }) => id),
    ),
  )
  const rows = hits.flatMap(({ id }) => lists.get(id) ?? [])
  const podcasts = byId(await listed(db, tenant, [...new Set(rows.flatMap((list) => list.podcastIds))]))
  return rows.map((list) => {
    const { title, description, ...rest } = toCuratedListSimple(list, podcasts, links)
    return {
      ...rest,
      title_original: title,
      title_highlighted: highlighted(title, words),
      description_original: description,
      description_highlighted: segment(description, words),
    }
  })
}

const byId = <T extends { readonly id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]))
