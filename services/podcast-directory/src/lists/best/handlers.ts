import type { Input } from '@icosa/contract'
import { type Clock, implement, notFound, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import { everything as allGenres, genresById } from '../../podcasts/genres.ts'
import type { Podcast } from '../../podcasts/podcast.ts'
import { regions } from '../../podcasts/regions.ts'
import { listed } from '../../podcasts/store.ts'
import { toPodcastSimple } from '../../podcasts/view.ts'
import { facet } from '../../search/index/shelf.ts'
import { everything } from '../../search/question/request.ts'
import { find } from '../../search/read/find.ts'
import type { ListLinks } from '../links.ts'
import { pageNumbers } from '../pages.ts'
import { best as contract } from './contract.ts'

type Query = Input<(typeof contract)['getBestPodcasts']>['query']

const pageSize = 20
/** Length of the list for a genre and a region. */
export const maxBest = 500

export function best({ links }: { readonly links: ListLinks }): Resource {
  return implement(contract, {
    async getBestPodcasts({ query }, { db, clock, caller }) {
      const { genre_id: genreId = '', region, page, sort } = query
      const genre = genreId === '' ? allGenres : (genresById.get(Number(genreId)) ?? notFound('genre', genreId))
      if (!Object.hasOwn(regions, region.toLowerCase())) notFound('region', region)
      const ids = await bestOf(db, caller.tenant, genre.id, query, clock)
      const all = (await listed(db, caller.tenant, ids)).sort(orders[sort])
      const pagePodcasts = all.slice((page - 1) * pageSize, page * pageSize)
      return ok({
        id: genre.id,
        name: genre.name,
        parent_id: genre.parentId,
        vendor_url: links.genre(genre.id),
        podcasts: pagePodcasts.map((podcast) => toPodcastSimple(podcast, links)),
        ...pageNumbers(page, pageSize, all.length),
      })
    },
  })
}

/** Podcasts heard in a region, with the highest scores. */
async function bestOf(db: ReadingDb, tenant: string, genreId: number, query: Query, clock: Clock): Promise<string[]> {
  const { region, publisher_region: publisherRegion = '', language = '', safe_mode } = query
  const facets = [
    [facet.heardIn(region.toLowerCase()), facet.heardEverywhere],
    ...(genreId === allGenres.id ? [] : [[facet.genre(genreId)]]),
    ...(publisherRegion === '' ? [] : [[facet.region(publisherRegion.toLowerCase())]]),
    ...(language === '' || language.toLowerCase() === 'any language' ? [] : [[facet.language(language)]]),
  ]
  const without = safe_mode === 1 ? [facet.explicit] : []
  const { hits } = await find(db, tenant, everything('podcast', facets, without, maxBest), clock.now())
  return hits.map(({ id }) => id)
}

type Order = (a: Podcast, b: Podcast) => number

/** Ties are ordered by id. */
const descending =
  (figure: (podcast: Podcast) => number): Order =>
  (a, b) =>
    figure(b) - figure(a) || (a.id < b.id ? -1 : 1)
const ascending =
  (figure: (podcast: Podcast) => number): Order =>
  (a, b) =>
    figure(a) - figure(b) || (a.id < b.id ? -1 : 1)

const addedMs = ({ addedAt }: Podcast) => addedAt.getTime()
const publishedMs = ({ latestPubDateMs }: Podcast) => latestPubDateMs

const orders: Readonly<Record<Query['sort'], Order>> = {
  recent_added_first: descending(addedMs),
  oldest_added_first: ascending(addedMs),
  recent_published_first: descending(publishedMs),
  oldest_published_first: ascending(publishedMs),
  listen_score: descending(({ listenScore }) => listenScore ?? 0),
}
