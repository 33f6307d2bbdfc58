import { identifier, named, oneOf, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { EpisodeSimple } from '../../episodes/contract.ts'
import { keyHeaders } from '../../names.ts'
import { PodcastSimple, pageFields, pageNumber, timeMs } from '../../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0], { id: identifier('playlist', { maxLength: 100 }) })

const playlistFields = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  image: Type.String(),
  thumbnail: Type.String(),
  vendor_url: Type.String(),
  visibility: oneOf('public', 'unlisted', 'private'),
  last_timestamp_ms: Type.Integer(),
  total_audio_length_sec: Type.Integer(),
}

/** Audio from outside the directory. */
export const CustomAudio = named('CustomAudio', {
  title: Type.String(),
  audio: Type.String(),
  audio_length_sec: Type.Integer(),
  image: Type.String(),
  thumbnail: Type.String(),
  pub_date_ms: Type.Integer(),
})

/** A deleted episode or podcast. */
export const DeletedItem = named('DeletedItem', {
  id: Type.String(),
  title: Type.String(),
  status: Type.String(),
  error: Type.String(),
})

export const PlaylistItem = named('PlaylistItem', {
  id: Type.Integer(),
  type: oneOf('episode', 'custom_audio', 'podcast'),
  added_at_ms: Type.Integer(),
  notes: Type.String(),
  data: Type.Union(EpisodeSimple, PodcastSimple, CustomAudio, DeletedItem),
})

export const playlists = {
  getPlaylists: get('/playlists', {
    summary: 'List playlists.',
    query: Type.Object({
      sort: withDefault(
        oneOf('recent_added_first', 'oldest_added_first', 'name_a_to_z', 'name_z_to_a'),
        'recent_added_first',
      ),
      page: withDefault(pageNumber, 1),
    }),
    replies: {
      200: named('PlaylistsResponse', {
        playlists: Type.Array(
          named('PlaylistSimple', {
            ...playlistFields,
            episode_count: Type.Integer({ description: 'Episodes and custom audio.' }),
            podcast_count: Type.Integer(),
          }),
        ),
        total: Type.Integer(),
        ...pageFields,
      }),
    },
  }),
  getPlaylistById: get('/playlists/{id}', {
    summary: 'Read a playlist with up to 20 of its episodes or podcasts.',
    query: Type.Object({
      type: withDefault(oneOf('episode_list', 'podcast_list'), 'episode_list'),
      last_timestamp_ms: withDefault(timeMs, 0),
      sort: withDefault(
        oneOf('recent_added_first', 'oldest_added_first', 'recent_published_first', 'oldest_published_first'),
        'recent_added_first',
      ),
    }),
    replies: {
      200: named('PlaylistResponse', {
        ...playlistFields,
        type: oneOf('episode_list', 'podcast_list'),
        total: Type.Integer(),
        items: Type.Array(PlaylistItem),
      }),
    },
  }),
}
