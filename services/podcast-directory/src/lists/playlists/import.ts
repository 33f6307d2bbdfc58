import { oneOf, type Static, Type } from '@icosa/contract'
import { type Db, invalid, lazyValidator, type ReadingDb, resourcesIn } from '@icosa/kernel'
import { findAll } from '../../episodes/store.ts'
import { serviceName } from '../../names.ts'
import { listed } from '../../podcasts/store.ts'
import { listIdOf } from '../list-id.ts'
import { entryOf } from './entry.ts'
import * as store from './store.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength, pattern: '^[^\\u0000]*$' }))
const id = Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' }))
const timeMs = Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }))

const ItemInFile = Type.Object({
  /** One of these: an episode or podcast of the directory, or the URL of other audio. */
  episode_id: id,
  podcast_id: id,
  audio: text(2_000),
  title: text(500),
  image: text(2_000),
  audio_length_sec: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  notes: text(2_000),
  /** Now by default. */
  added_at_ms: timeMs,
})

/** An operator's playlists, as JSON. */
const PlaylistFile = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' }),
    description: text(2_000),
    image: text(2_000),
    visibility: Type.Optional(oneOf('public', 'unlisted', 'private')),
    items: Type.Array(ItemInFile, { maxItems: 10_000 }),
  }),
  { maxItems: 1_000 },
)

type FileItem = Static<typeof ItemInFile>

const check = lazyValidator(PlaylistFile, 'body')

/** Imports playlists, overwriting those with the same name. Returns their number. */
export async function importPlaylists(db: Db, tenant: string, file: unknown, now: Date): Promise<number> {
  const wrong = check(file)
  if (wrong.length > 0) invalid(wrong)
  const playlists = file as Static<typeof PlaylistFile>
  const resources = resourcesIn(db, { now: () => now }, serviceName, tenant)
  for (const { name, description = '', image = '', visibility = 'private', items } of playlists) {
    const playlist = { id: listIdOf(tenant, 'playlist', name), name, description, image, visibility }
    await store.write(db, tenant, playlist, await itemsOf(db, tenant, items, now), now)
    await resources.put(entryOf(playlist))
  }
  return playlists.length
}

async function itemsOf(db: ReadingDb, tenant: string, items: readonly FileItem[], now: Date): Promise<store.Item[]> {
  const episodes = await findAll(
    db,
    tenant,
    items.flatMap(({ episode_id }) => episode_id ?? []),
  )
  const podcasts = await listed(
    db,
    tenant,
    items.flatMap(({ podcast_id }) => podcast_id ?? []),
  )
  const episodeOf = new Map(episodes.map((episode) => [episode.id, episode]))
  const podcastOf = new Map(podcasts.map((podcast) => [podcast.id, podcast]))
  return items.map((item, nth) => {
    const episode = episodeOf.get(item.episode_id ?? '')
    const podcast = podcastOf.get(item.podcast_id ?? '')
    if (!episode && !podcast && item.audio === undefined)
      invalid([
        { at: `body/items/${nth}`, message: 'must refer to an episode or podcast in the directory, or an audio file' },
      ])
    const addedAtMs = item.added_at_ms ?? now.getTime() + nth // in the order of the file
    return {
      id: nth + 1,
      type: episode ? 'episode' : podcast ? 'podcast' : 'custom_audio',
      ref: episode?.id ?? podcast?.id ?? '',
      title: item.title ?? episode?.title ?? podcast?.title ?? '',
      audio: item.audio ?? '',
      image: item.image ?? '',
      notes: item.notes ?? '',
      addedAtMs,
      publishedMs: episode?.pubDateMs ?? podcast?.latestPubDateMs ?? addedAtMs,
      lengthSec: item.audio_length_sec ?? episode?.audioLengthSec ?? 0,
    }
  })
}
