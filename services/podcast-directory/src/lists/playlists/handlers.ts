import type { Static } from '@icosa/contract'
import { implement, notFound, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import { findAll } from '../../episodes/store.ts'
import { toEpisodeSimple } from '../../episodes/view.ts'
import { listed } from '../../podcasts/store.ts'
import { toPodcastSimple } from '../../podcasts/view.ts'
import type { ListLinks } from '../links.ts'
import { pageNumbers } from '../pages.ts'
import { playlists as contract, type PlaylistItem } from './contract.ts'
import * as store from './store.ts'

const playlistsPerPage = 20
const itemsPerPage = 20

export function playlists({ links }: { readonly links: ListLinks }): Resource {
  const toPlaylistFields = ({ id, name, description, image, visibility, lengthSec }: store.CountedPlaylist) => ({
    id,
    name,
    description,
    image,
    thumbnail: image,
    visibility,
    vendor_url: links.playlist(id),
    total_audio_length_sec: lengthSec,
  })

  return implement(contract, {
    async getPlaylists({ query: { sort, page } }, { db, caller: { tenant } }) {
      const offset = (page - 1) * playlistsPerPage
      const { playlists: rows, total } = await store.page(db, tenant, sort, offset, playlistsPerPage)
      return ok({
        playlists: rows.map((playlist) => ({
          ...toPlaylistFields(playlist),
          last_timestamp_ms: playlist.lastAddedMs,
          episode_count: playlist.episodeCount,
          podcast_count: playlist.podcastCount,
        })),
        ...pageNumbers(page, playlistsPerPage, total),
      })
    },

    async getPlaylistById({ params, query }, { db, caller: { tenant } }) {
      const id = params.id
      const playlist = (await store.find(db, tenant, id)) ?? notFound('playlist', id)
      const { type, sort, last_timestamp_ms: after } = query
      const isPodcasts = type === 'podcast_list'
      const types: store.ItemType[] = isPodcasts ? ['podcast'] : ['episode', 'custom_audio']
      const items = await store.items(db, tenant, id, types, { order: sort, after, limit: itemsPerPage })
      const last = items.at(-1)
      const isPublished = sort.endsWith('published_first')
      return ok({
        ...toPlaylistFields(playlist),
        total_audio_length_sec: isPodcasts ? 0 : playlist.lengthSec,
        type,
        total: isPodcasts ? playlist.podcastCount : playlist.episodeCount,
        last_timestamp_ms: (isPublished ? last?.publishedMs : last?.addedAtMs) ?? after,
        items: await toPlaylistItems(db, tenant, items, links),
      })
    },
  })
}

/** Items with their episodes and podcasts; deleted ones keep the title. */
async function toPlaylistItems(
  db: ReadingDb,
  tenant: string,
  items: readonly store.Item[],
  links: ListLinks,
): Promise<Static<typeof PlaylistItem>[]> {
  const refs = (type: store.ItemType) => items.flatMap((item) => (item.type === type ? item.ref : []))
  const episodes = new Map((await findAll(db, tenant, refs('episode'))).map((episode) => [episode.id, episode]))
  const podcastIds = [...refs('podcast'), ...[...episodes.values()].map(({ podcastId }) => podcastId)]
  const podcasts = new Map((await listed(db, tenant, podcastIds)).map((podcast) => [podcast.id, podcast]))

  function dataOf({ type, ref, title, audio, image, lengthSec, publishedMs }: store.Item) {
    if (type === 'custom_audio')
      return { title, audio, image, thumbnail: image, audio_length_sec: lengthSec, pub_date_ms: publishedMs }
    const episode = episodes.get(ref)
    const podcast = podcasts.get(type === 'podcast' ? ref : (episode?.podcastId ?? ''))
    if (podcast && type === 'podcast') return toPodcastSimple(podcast, links)
    if (podcast && episode) return toEpisodeSimple(episode, podcast, links)
    return { id: ref, title, status: 'deleted', error: `This ${type} is no longer in the directory.` }
  }

  return items.map((item) => ({
    id: item.id,
    type: item.type,
    added_at_ms: item.addedAtMs,
    notes: item.notes,
    data: dataOf(item),
  }))
}
