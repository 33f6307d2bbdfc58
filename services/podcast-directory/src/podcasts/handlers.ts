import { implement, invalid, notFound, ok, type Resource } from '@icosa/kernel'
import { latestOf, ofPodcast } from '../episodes/store.ts'
import { toEpisodeMinimum, toEpisodeSimple } from '../episodes/view.ts'
import type { Links } from '../links.ts'
import { originalForm } from '../names.ts'
import { podcasts as contract } from './contract.ts'
import { checkCount, idsOf, listOf, maxBatch } from './ids.ts'
import * as store from './store.ts'
import { toPodcastSimple } from './view.ts'

const episodesPerPage = 10
const latestEpisodes = 15
const podcastsPerPage = 10

export function podcasts({ links }: { readonly links: Links }): Resource {
  return implement(contract, {
    async getPodcastById({ params, query }, { db, caller }) {
      const id = params.id
      const [podcast] = await store.listed(db, caller.tenant, [id])
      if (!podcast) notFound('podcast', id)
      const from = query.next_episode_pub_date
      const page = await ofPodcast(db, caller.tenant, id, { sort: query.sort, from, limit: episodesPerPage + 1 })
      const episodes = page.slice(0, episodesPerPage)
      return ok({
        ...toPodcastSimple(podcast, links),
        episodes: episodes.map((episode) => toEpisodeMinimum(episode, podcast, links)),
        next_episode_pub_date: page.length > episodes.length ? (episodes.at(-1)?.pubDateMs ?? null) : null,
      })
    },

    async getPodcastsInBatch({ body }, { db, caller }) {
      const { show_latest_episodes, next_episode_pub_date, ...names } = body
      if (!Object.values(names).some(Boolean))
        invalid([{ at: 'body', message: 'must contain ids, rsses, storeone_ids or storetwo_ids' }])
      const lookup = {
        ids: idsOf(names.ids),
        rsses: listOf(names.rsses),
        storeoneIds: listOf(names.storeone_ids ?? names[originalForm.storeone_ids]).filter((id) =>
          /^\d{1,18}$/.test(id),
        ),
        storetwoIds: listOf(names.storetwo_ids ?? names[originalForm.storetwo_ids]),
      }
      checkCount(Object.values(lookup).flat().length)
      const rows = await store.listedBy(db, caller.tenant, lookup, maxBatch)
      const views = rows.map((podcast) => toPodcastSimple(podcast, links))
      if (show_latest_episodes !== 1) return ok({ podcasts: views })
      const byId = new Map(rows.map((podcast) => [podcast.id, podcast]))
      const latest = await latestOf(db, caller.tenant, [...byId.keys()], next_episode_pub_date, latestEpisodes)
      const episodes = latest.flatMap((episode) => {
        const podcast = byId.get(episode.podcastId)
        return podcast ? [toEpisodeSimple(episode, podcast, links)] : []
      })
      const next = latest.length < latestEpisodes ? null : (latest.at(-1)?.pubDateMs ?? null)
      return ok({ podcasts: views, latest_episodes: episodes, next_episode_pub_date: next })
    },

    async getPodcastsByDomainName({ params, query: { page } }, { db, caller }) {
      const domain = params.domain_name.toLowerCase().replace(/^www\./, '')
      const offset = (page - 1) * podcastsPerPage
      const rows = await store.ofDomain(db, caller.tenant, domain, offset, podcastsPerPage + 1)
      if (rows.length === 0) notFound('domain', domain)
      const hasNext = rows.length > podcastsPerPage
      return ok({
        podcasts: rows.slice(0, podcastsPerPage).map((podcast) => toPodcastSimple(podcast, links)),
        page_number: page,
        has_next: hasNext,
        next_page_number: page + 1,
        has_previous: page > 1,
        previous_page_number: page - 1,
      })
    },
  })
}
