import type { ReadingDb } from '@icosa/kernel'
import { everything as allGenres } from '../podcasts/genres.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import { listed } from '../podcasts/store.ts'
import { lexeme } from '../search/index/document.ts'
import { facet, marks, shelvesOf } from '../search/index/shelf.ts'
import { everything } from '../search/question/request.ts'
import { find } from '../search/read/find.ts'
import { tenantNumber } from '../search/read/store.ts'
import * as store from './store.ts'

export type RecommendedKind = 'podcast' | 'episode'

export interface Seed {
  readonly kind: RecommendedKind
  readonly id: string
  readonly podcast: Podcast
  /** Excludes explicit content. */
  readonly safe: boolean
}

export interface Recommendation {
  readonly id: string
  readonly podcastId: string
}

export const maxRecommended = 8
/** Number of highest-weighted words to search for; others are in too many documents. */
const maxWords = 8
const perShelf = 150
const maxTogether = 20
/** Maximum number of episodes of one podcast. */
const perPodcast = 2

/** Podcasts or episodes with similar words and genres, or with the same listeners, best first. */
export async function recommend(db: ReadingDb, tenant: string, seed: Seed, now: Date): Promise<Recommendation[]> {
  const number = await tenantNumber(db, tenant)
  if (number === undefined) return []
  const telling = await store.tellingOf(db, tenant, seed.kind, seed.id)
  const together = await store.heardTogether(db, tenant, seed.podcast.id, maxTogether)
  const candidates = [
    ...(await similarTo(db, number, seed, telling)),
    ...(await heardTogether(
      db,
      tenant,
      seed,
      together.map(({ podcastId }) => podcastId),
    )),
    ...(await popular(db, tenant, seed, now)),
  ]
  const podcastIds = [...new Set(candidates.map(({ podcastId }) => podcastId))]
  const podcasts = new Map((await listed(db, tenant, podcastIds)).map((podcast) => [podcast.id, podcast]))
  const visits = new Map(together.map(({ podcastId, visits }) => [podcastId, visits]))
  const weights = new Map<string, Recommendation & { readonly weight: number }>()
  for (const { id, podcastId, telling: other } of candidates) {
    const podcast = podcasts.get(podcastId)
    if (!podcast || id === seed.id || podcastId === seed.podcast.id || (seed.safe && podcast.explicitContent)) continue
    const weight = weightOf(cosine(telling, other), seed.podcast, podcast, visits.get(podcastId) ?? 0)
    weights.set(id, { id, podcastId, weight })
  }
  const best = [...weights.values()].sort((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
  return fewPerPodcast(best).slice(0, maxRecommended)
}

/** Similar words count as much as common genres, or as half of all listeners. */
function weightOf(similarity: number, own: Podcast, other: Podcast, visits: number): number {
  const sameLanguage = own.language === other.language ? 0.3 : 0
  return (
    similarity +
    genresInCommon(own, other) +
    (2 * visits) / (visits + 5) +
    sameLanguage +
    (other.listenScore ?? 0) / 1_000
  )
}

/** From 0 to 1, without the root genre. */
function genresInCommon({ genreIds: own }: Podcast, { genreIds: other }: Podcast): number {
  const all = new Set([...own, ...other].filter((id) => id !== allGenres.id))
  const both = own.filter((id) => id !== allGenres.id && other.includes(id))
  return all.size === 0 ? 0 : both.length / all.size
}

function cosine(a: store.Vector, b: store.Vector): number {
  const other = new Map(Object.entries(b))
  return Object.entries(a).reduce((sum, [word, weight]) => sum + weight * (other.get(word) ?? 0), 0)
}

/** Documents with the same significant words, some from each shelf. */
function similarTo(
  db: ReadingDb,
  number: number,
  { kind, podcast, safe }: Seed,
  telling: store.Vector,
): Promise<store.Similar[]> {
  const words = Object.keys(telling).slice(0, maxWords)
  if (words.length === 0) return Promise.resolve([])
  const tsqueries = shelvesOf(number, kind).map((shelf) => {
    const either = words.map((word) => lexeme(shelf + marks.telling + word)).join(' | ')
    const clean = safe ? ` & !${lexeme(shelf + marks.facet + facet.explicit)}` : ''
    return `(${either}) & !${lexeme(shelf + marks.facet + facet.podcast(podcast.id))}${clean}`
  })
  return store.similar(db, tsqueries, perShelf)
}

/** Podcasts with the same listeners, or the latest episode of each. */
async function heardTogether(
  db: ReadingDb,
  tenant: string,
  { kind }: Seed,
  podcastIds: readonly string[],
): Promise<store.Similar[]> {
  if (kind === 'episode') return store.latestEpisodes(db, tenant, podcastIds)
  return podcastIds.map((podcastId) => ({ id: podcastId, podcastId, telling: {} }))
}

/** The most popular with the same genres and language, as a fallback. */
async function popular(
  db: ReadingDb,
  tenant: string,
  { kind, podcast, safe }: Seed,
  now: Date,
): Promise<store.Similar[]> {
  const genres = podcast.genreIds.filter((id) => id !== allGenres.id)
  const facets = [
    (genres.length > 0 ? genres : [allGenres.id]).map(facet.genre),
    ...(podcast.language === '' ? [] : [[facet.language(podcast.language)]]),
  ]
  const request = everything(kind, facets, safe ? [facet.explicit] : [], 4 * maxRecommended)
  const { hits } = await find(db, tenant, request, now)
  return hits.map((hit) => ({ ...hit, telling: {} }))
}

function fewPerPodcast(all: readonly Recommendation[]): Recommendation[] {
  const counts = new Map<string, number>()
  return all.filter(({ podcastId }) => {
    const count = (counts.get(podcastId) ?? 0) + 1
    counts.set(podcastId, count)
    return count <= perPodcast
  })
}
