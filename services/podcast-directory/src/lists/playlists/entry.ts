import type { ResourceEntry } from '@icosa/kernel'
import { serviceName } from '../../names.ts'
import type { Playlist } from './store.ts'

export const playlistType = `${serviceName}/playlists`

export const registryId = (id: string) => `/${serviceName}/playlists/${id}`

/** What the rest of the platform knows of a playlist. */
export const entryOf = (
  { id, name }: Pick<Playlist, 'id' | 'name'>,
  tags: ResourceEntry['tags'] = {},
): ResourceEntry => ({ id: registryId(id), type: playlistType, name, tags })
