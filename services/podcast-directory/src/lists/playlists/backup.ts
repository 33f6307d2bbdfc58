import { type Backup, Failure, invalid, notFound } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, linesIn, linesOf, placeIn } from '@icosa/module/rows'
import { listIdOf } from '../list-id.ts'
import { itemTable, originOf, playlistTable, rowsOf } from './backup-store.ts'
import { entryOf, playlistType, registryId } from './entry.ts'
import * as store from './store.ts'

/** A playlist with its items, but without the episodes and podcasts they refer to. */
export const playlistBackup: Backup = {
  type: playlistType,

  async read(id, { db, tenant }) {
    const { id: playlistId, name } = (await store.find(db, tenant, idIn(id))) ?? notFound('playlist', id)
    return { content: contentOf(await linesOf(db, rowsOf(tenant, playlistId))), metadata: { name } }
  },

  async restore({ id, metadata, content, tags }, { tenant, transaction }) {
    const { name } = placeIn(metadata, ['name'])
    if (name.length > 200) invalid([{ at: 'Metadata/name', message: 'must have at most 200 characters' }])
    const playlistId = listIdOf(tenant, 'playlist', name)
    const lines = await linesIn(content)
    return transaction(async (db, _, resources) => {
      const existing = await originOf(db, tenant, playlistId)
      if (existing?.restoredBy === id) return registryId(playlistId) // by a worker that was killed before reporting it
      if (existing) throw new Failure('alreadyExists', `A playlist '${name}' already exists.`)
      await addRows(db, playlistTable, jsonOf(lines, playlistTable), { tenant, id: playlistId, name, restored_by: id })
      await addRows(db, itemTable, jsonOf(lines, itemTable), { tenant, playlist_id: playlistId })
      await resources.put(entryOf({ id: playlistId, name }, tags))
      return registryId(playlistId)
    })
  },

  trial: (metadata, id) => ({ ...metadata, name: `restored-${id}` }),

  async remove(id, { tenant, transaction }) {
    await transaction(async (db, _, resources) => {
      await store.remove(db, tenant, idIn(id))
      await resources.remove(id)
    })
  },
}

const idIn = (id: string) => id.split('/').at(-1) ?? ''
