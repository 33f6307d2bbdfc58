import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import type { Links } from '../links.ts'
import { checkCount, idsOf, listOf } from '../podcasts/ids.ts'
import { listed } from '../podcasts/store.ts'
import { toPodcastSimple } from '../podcasts/view.ts'
import { episodes as contract } from './contract.ts'
import * as store from './store.ts'
import { toEpisodeMinimum, toEpisodeSimple } from './view.ts'

export function episodes({ links }: { readonly links: Links }): Resource {
  return implement(contract, {
    async getEpisodeById({ params, query }, { db, caller: { tenant } }) {
      const id = params.id
      const episode = (await store.find(db, tenant, id)) ?? notFound('episode', id)
      const [podcast] = await listed(db, tenant, [episode.podcastId])
      if (!podcast) notFound('episode', id)
      const view = { ...toEpisodeMinimum(episode, podcast, links), podcast: toPodcastSimple(podcast, links) }
      if (query.show_transcript !== 1) return ok(view)
      return ok({ ...view, transcript: await store.transcriptOf(db, tenant, id) })
    },

    async getEpisodesInBatch({ body }, { db, caller: { tenant } }) {
      checkCount(listOf(body.ids).length)
      const ids = idsOf(body.ids)
      const episodesById = new Map((await store.findAll(db, tenant, ids)).map((episode) => [episode.id, episode]))
      const podcastIds = [...new Set([...episodesById.values()].map(({ podcastId }) => podcastId))]
      const podcasts = new Map((await listed(db, tenant, podcastIds)).map((podcast) => [podcast.id, podcast]))
      const views = ids.flatMap((id) => {
        const episode = episodesById.get(id)
        const podcast = episode && podcasts.get(episode.podcastId)
        return episode && podcast ? [toEpisodeSimple(episode, podcast, links)] : []
      })
      return ok({ episodes: views })
    },
  })
}
