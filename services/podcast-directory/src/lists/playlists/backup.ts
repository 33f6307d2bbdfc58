import { type Backup, Failure, invalid, notFound } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, linesIn, linesOf, placeIn } from '@icosa/module/rows'
import { listIdOf } from '../list-id.ts'
import { itemTable, makerOf, playlistTable, rowsOf } from './backup-store.ts'
import { entryOf, playlistType, registryId } from './entry.ts'
import * as store from './store.ts'

/** A playlist with its items. What they name is the directory's: of what that has no more, the title is shown. */
export const playlistBackup: Backup = {
  type: playlistType,

  async read(id, { db, tenant }) {
    const { id: own, name } = (await store.find(db, tenant, idIn(id))) ?? notFound('playlist', id)
    return { content: contentOf(await linesOf(db, rowsOf(tenant, own))), metadata: { name } }
  },

  async restore({ id, metadata, content, tags }, { tenant, transaction }) {
    const { name } = placeIn(metadata, ['name'])
    if (name.length > 200) invalid([{ at: 'Metadata/name', message: 'must have at most 200 characters' }])
    const own = listIdOf(tenant, 'playlist', name)
    const lines = await linesIn(content)
    return transaction(async (db, _, resources) => {
      const there = await makerOf(db, tenant, own)
      if (there?.restoredBy === id) return registryId(own) // by a worker that was killed before it could say so
      if (there) throw new Failure('alreadyExists', `There is a playlist '${name}' already.`)
      await addRows(db, playlistTable, jsonOf(lines, playlistTable), { tenant, id: own, name, restored_by: id })
      await addRows(db, itemTable, jsonOf(lines, itemTable), { tenant, playlist_id: own })
      await resources.put(entryOf({ id: own, name }, tags))
      return registryId(own)
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
