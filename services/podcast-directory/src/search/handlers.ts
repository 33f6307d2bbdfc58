import type { Static } from '@icosa/contract'
import { type Db, implement, ok, type Resource } from '@icosa/kernel'
import type { Held } from '../held.ts'
import type { ListLinks } from '../lists/links.ts'
import { originalIdTypes } from '../names.ts'
import { idsOf } from '../podcasts/ids.ts'
import { listedBy, type Wanted as WantedPodcasts } from '../podcasts/store.ts'
import { type CuratedListResult, search as contract, type EpisodeResult, type PodcastResult } from './contract.ts'
import { find } from './find.ts'
import { questionOf } from './query.ts'
import { wantedOf } from './request.ts'
import { curatedListResults, episodeResults, podcastResults, type Showing } from './results.ts'
import { facet, type Kind } from './shelf.ts'
import type { Hit, Wanted } from './wanted.ts'

type Result = Static<typeof EpisodeResult> | Static<typeof PodcastResult> | Static<typeof CuratedListResult>

const resultsOf: Readonly<Record<Kind, (hits: readonly Hit[], showing: Showing) => Promise<Result[]>>> = {
  episode: episodeResults,
  podcast: podcastResults,
  list: curatedListResults,
}

export interface SearchOptions {
  readonly links: ListLinks
}

export function search({ links }: SearchOptions): Resource<Held> {
  return implement<typeof contract, Held>(contract, {
    async search({ query }, { db, clock, caller: { tenant }, held }) {
      const began = performance.now()
      const wanted = wantedOf(query)
      const { hits, total } = await find(db, tenant, wanted, clock.now())
      const results = await resultsOf[wanted.kind](hits, { db, tenant, wanted, links })
      if (wanted.offset === 0 && total > 0) held.notebook.search(tenant, query.q)
      return ok({ ...envelope(wanted, results, total, began), results })
    },

    async searchEpisodeTitles({ query }, { db, clock, caller: { tenant } }) {
      const began = performance.now()
      const { q, podcast_id: id, podcast_id_type: type, offset, page_size: limit } = query
      const podcasts = id === undefined ? undefined : await podcastsBy(db, tenant, type, id)
      const wanted: Wanted = {
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
      const found = podcasts?.length === 0 ? { hits: [], total: 0 } : await find(db, tenant, wanted, clock.now())
      const results = await episodeResults(found.hits, { db, tenant, wanted, links })
      return ok({ ...envelope(wanted, results, found.total, began), results })
    },
  })
}

const envelope = ({ offset }: Wanted, results: readonly unknown[], total: number, began: number) => ({
  count: results.length,
  total,
  next_offset: offset + results.length,
  took: Math.round(performance.now() - began) / 1_000,
})

const noPodcasts: WantedPodcasts = { ids: [], rsses: [], storeoneIds: [], storetwoIds: [] }

/** The ids of the podcasts that have such an id here or elsewhere. */
async function podcastsBy(db: Db, tenant: string, type: string, id: string): Promise<string[]> {
  const found = await listedBy(db, tenant, wantedBy(type, id), 5)
  return found.map((podcast) => podcast.id)
}

function wantedBy(type: string, id: string): WantedPodcasts {
  if (type === 'rss') return { ...noPodcasts, rsses: [id] }
  if (type === 'storeone_id' || type === originalIdTypes.storeone_id)
    return { ...noPodcasts, storeoneIds: /^\d{1,18}$/.test(id) ? [id] : [] }
  if (type === 'storetwo_id' || type === originalIdTypes.storetwo_id) return { ...noPodcasts, storetwoIds: [id] }
  return { ...noPodcasts, ids: idsOf(id) }
}
