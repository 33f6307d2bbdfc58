import type { Static } from '@icosa/contract'
import { implement, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import type { ListLinks } from '../lists/links.ts'
import { originalIdTypes } from '../names.ts'
import { idsOf } from '../podcasts/ids.ts'
import { listedBy, type PodcastLookup } from '../podcasts/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type CuratedListResult, search as contract, type EpisodeResult, type PodcastResult } from './contract.ts'
import { facet, type Kind } from './index/shelf.ts'
import { requestFromQuery } from './question/from-query.ts'
import { questionOf } from './question/question.ts'
import type { Hit, SearchRequest } from './question/request.ts'
import { find } from './read/find.ts'
import { curatedListResults, episodeResults, podcastResults, type ResultContext } from './results/results.ts'

type Result = Static<typeof EpisodeResult> | Static<typeof PodcastResult> | Static<typeof CuratedListResult>

const resultsOf: Readonly<Record<Kind, (hits: readonly Hit[], context: ResultContext) => Promise<Result[]>>> = {
  episode: episodeResults,
  podcast: podcastResults,
  list: curatedListResults,
}

export interface SearchOptions {
  readonly links: ListLinks
}

export function search({ links }: SearchOptions): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async search({ query }, { db, clock, caller: { tenant }, runtime }) {
      const startedAt = performance.now()
      const request = requestFromQuery(query)
      const { hits, total } = await find(db, tenant, request, clock.now())
      const results = await resultsOf[request.kind](hits, { db, tenant, request, links })
      if (request.offset === 0 && total > 0) runtime.notebook.search(tenant, query.q)
      return ok({ ...envelope(request, results, total, startedAt), results })
    },

    async searchEpisodeTitles({ query }, { db, clock, caller: { tenant } }) {
      const startedAt = performance.now()
      const { q, podcast_id: id, podcast_id_type: type, offset, page_size: limit } = query
      const podcasts = id === undefined ? undefined : await podcastsBy(db, tenant, type, id)
      const request: SearchRequest = {
        kind: 'episode',
        question: questionOf(q),
        fields: ['title'],
        facets: podcasts === undefined ? [] : [podcasts.map(facet.podcast)],
        without: [],
        ranges: {},
        order: 'relevance',
        offset,
        limit,
        onePerPodcast: false,
      }
      const page = podcasts?.length === 0 ? { hits: [], total: 0 } : await find(db, tenant, request, clock.now())
      const results = await episodeResults(page.hits, { db, tenant, request, links })
      return ok({ ...envelope(request, results, page.total, startedAt), results })
    },
  })
}

const envelope = ({ offset }: SearchRequest, results: readonly unknown[], total: number, startedAt: number) => ({
  count: results.length,
  total,
  next_offset: offset + results.length,
  took: Math.round(performance.now() - startedAt) / 1_000,
})

const noPodcasts: PodcastLookup = { ids: [], rsses: [], storeoneIds: [], storetwoIds: [] }

/** Ids of podcasts by an id here or on another platform. */
async function podcastsBy(db: ReadingDb, tenant: string, type: string, id: string): Promise<string[]> {
  const podcasts = await listedBy(db, tenant, lookupBy(type, id), 5)
  return podcasts.map((podcast) => podcast.id)
}

function lookupBy(type: string, id: string): PodcastLookup {
  if (type === 'rss') return { ...noPodcasts, rsses: [id] }
  if (type === 'storeone_id' || type === originalIdTypes.storeone_id)
    return { ...noPodcasts, storeoneIds: /^\d{1,18}$/.test(id) ? [id] : [] }
  if (type === 'storetwo_id' || type === originalIdTypes.storetwo_id) return { ...noPodcasts, storetwoIds: [id] }
  return { ...noPodcasts, ids: idsOf(id) }
}
