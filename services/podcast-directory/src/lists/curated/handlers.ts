import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import { listed } from '../../podcasts/store.ts'
import type { ListLinks } from '../links.ts'
import { pageNumbers } from '../pages.ts'
import { curated as contract } from './contract.ts'
import * as store from './store.ts'
import { toCuratedListFull, toCuratedListSimple } from './view.ts'

const pageSize = 20

export function curated({ links }: { readonly links: ListLinks }): Resource {
  return implement(contract, {
    async getCuratedPodcasts({ query: { page } }, { db, caller: { tenant } }) {
      const { lists, total } = await store.page(db, tenant, (page - 1) * pageSize, pageSize)
      const podcasts = await listed(db, tenant, [...new Set(lists.flatMap(({ podcastIds }) => podcastIds))])
      const byId = new Map(podcasts.map((podcast) => [podcast.id, podcast]))
      return ok({
        curated_lists: lists.map((list) => toCuratedListSimple(list, byId, links)),
        ...pageNumbers(page, pageSize, total),
      })
    },

    async getCuratedPodcastById({ params }, { db, caller: { tenant } }) {
      const id = params.id
      const [list] = await store.byIds(db, tenant, [id])
      if (!list) notFound('curated list', id)
      const podcasts = await listed(db, tenant, list.podcastIds)
      return ok(toCuratedListFull(list, new Map(podcasts.map((podcast) => [podcast.id, podcast])), links))
    },
  })
}
