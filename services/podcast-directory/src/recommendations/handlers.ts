import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import { find, findAll } from '../episodes/store.ts'
import { toEpisodeSimple } from '../episodes/view.ts'
import type { Links } from '../links.ts'
import { listed } from '../podcasts/store.ts'
import { toPodcastSimple } from '../podcasts/view.ts'
import { recommendations as contract } from './contract.ts'
import { recommend } from './recommend.ts'

export function recommendations({ links }: { readonly links: Links }): Resource {
  return implement(contract, {
    async getPodcastRecommendations({ params, query }, { db, clock, caller: { tenant } }) {
      const id = params.id
      const [podcast] = await listed(db, tenant, [id])
      if (!podcast) notFound('podcast', id)
      const seed = { kind: 'podcast', id, podcast, safe: query.safe_mode === 1 } as const
      const best = await recommend(db, tenant, seed, clock.now())
      const podcasts = new Map(
        (
          await listed(
            db,
            tenant,
            best.map((recommendation) => recommendation.id),
          )
        ).map((row) => [row.id, row]),
      )
      const rows = best.flatMap((recommendation) => podcasts.get(recommendation.id) ?? [])
      return ok({ recommendations: rows.map((row) => toPodcastSimple(row, links)) })
    },

    async getEpisodeRecommendations({ params, query }, { db, clock, caller: { tenant } }) {
      const id = params.id
      const episode = (await find(db, tenant, id)) ?? notFound('episode', id)
      const [podcast] = await listed(db, tenant, [episode.podcastId])
      if (!podcast) notFound('episode', id)
      const safe = query.safe_mode === 1
      const best = await recommend(db, tenant, { kind: 'episode', id, podcast, safe }, clock.now())
      const episodes = new Map(
        (
          await findAll(
            db,
            tenant,
            best.map((recommendation) => recommendation.id),
          )
        ).map((row) => [row.id, row]),
      )
      const podcasts = new Map(
        (
          await listed(
            db,
            tenant,
            best.map((recommendation) => recommendation.podcastId),
          )
        ).map((row) => [row.id, row]),
      )
      const views = best.flatMap(({ id: episodeId, podcastId }) => {
        const [row, owner] = [episodes.get(episodeId), podcasts.get(podcastId)]
        if (!row || !owner || (safe && row.explicitContent)) return []
        return [toEpisodeSimple(row, owner, links)]
      })
      return ok({ recommendations: views })
    },
  })
}
