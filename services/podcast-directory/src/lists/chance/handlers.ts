import { randomInt } from 'node:crypto'
import { Failure, implement, ok, type Resource } from '@icosa/kernel'
import { findAll } from '../../episodes/store.ts'
import { toEpisodeSimple } from '../../episodes/view.ts'
import { listed } from '../../podcasts/store.ts'
import { shelvesOf } from '../../search/index/shelf.ts'
import { tenantNumber } from '../../search/read/store.ts'
import type { ListLinks } from '../links.ts'
import { chance as contract } from './contract.ts'
import { episodesAround } from './store.ts'

/** Half of all replies are younger than this. */
const halfLifeMs = 30 * 86_400_000
const resolution = 2 ** 32

export function chance({ links }: { readonly links: ListLinks }): Resource {
  return implement(contract, {
    async justListen(_, { db, clock, caller: { tenant } }) {
      const number = await tenantNumber(db, tenant)
      const halfLives = -Math.log2(1 - randomInt(resolution) / resolution)
      const timeMs = Math.floor(clock.now().getTime() - halfLives * halfLifeMs)
      const ids = number === undefined ? [] : await episodesAround(db, shelvesOf(number, 'episode'), timeMs)
      const episodes = await findAll(db, tenant, ids)
      const podcasts = await listed(
        db,
        tenant,
        episodes.map(({ podcastId }) => podcastId),
      )
      const views = episodes.flatMap((episode) => {
        const podcast = podcasts.find(({ id }) => id === episode.podcastId)
        return podcast ? [toEpisodeSimple(episode, podcast, links)] : []
      })
      if (views.length === 0)
        throw new Failure('notFound', 'The directory has no episodes yet: submit the feed of a podcast first.')
      return ok(views[randomInt(views.length)] as (typeof views)[number])
    },
  })
}
