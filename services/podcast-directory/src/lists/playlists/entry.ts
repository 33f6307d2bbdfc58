import type { ResourceEntry } from '@icosa/kernel'
import { serviceName } from '../../names.ts'
import type { Playlist } from './store.ts'

export const playlistType = `${serviceName}/playlists`

export const registryId = (id: string) => `/${serviceName}/playlists/${id}`

/** A playlist's entry in the registry. */
export const entryOf = (
  { id, name }: Pick<Playlist, 'id' | 'name'>,
  tags: ResourceEntry['tags'] = {},
): ResourceEntry => ({ id: registryId(id), type: playlistType, name, tags })
