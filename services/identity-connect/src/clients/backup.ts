import { type Backup, Failure, invalid, notFound } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, linesIn, linesOf, placeIn } from '@icosa/module/rows'
import { clientTable, ownerOf, rowsOf } from './backup-store.ts'
import { clientType, entryOf, registryId } from './entry.ts'
import { removeClient } from './removal.ts'
import * as store from './store.ts'

const restoredId = /^restored-[\w-]{1,80}$/

/**
 * Backs up a client with the hash of its secret. Consents and approvals are not included: users and the operator are asked
 * again.
 */
export const clientBackup: Backup = {
  type: clientType,

  async read(id, { db, tenant }) {
    const { id: client_id } = (await store.find(db, tenant, idIn(id))) ?? notFound('client', id)
    return { content: contentOf(await linesOf(db, rowsOf(tenant, client_id))), metadata: { client_id } }
  },

  async restore({ id, from, metadata, content, tags }, { tenant, transaction }) {
    const { client_id } = placeIn(metadata, ['client_id'])
    // Client ids are global, and consent is given to an id: no tenant may take over a deleted id of another.
    if (client_id !== idIn(from) && !restoredId.test(client_id))
      invalid([{ at: 'Metadata/client_id', message: `must be ${idIn(from)}, or begin with restored-` }])
    const lines = jsonOf(await linesIn(content), clientTable)
    return transaction(async (db, _, resources) => {
      const owner = await ownerOf(db, client_id)
      if (owner?.restoredBy === id) return registryId(client_id) // by a worker that was killed before it could report
      if (owner) throw new Failure('alreadyExists', `The client '${client_id}' already exists.`)
      await addRows(db, clientTable, lines, { tenant, id: client_id, restored_by: id })
      const client = (await store.find(db, tenant, client_id)) ?? notFound('client', client_id)
      await resources.put(entryOf(client, tags))
      return registryId(client_id)
    })
  },

  trial: (metadata, id) => ({ ...metadata, client_id: `restored-${id}` }),

  async remove(id, { tenant, transaction }) {
    await transaction(async (db, _, resources) => {
      await removeClient(db, tenant, idIn(id))
      await resources.remove(id)
    })
  },
}

const idIn = (id: string) => id.split('/').at(-1) ?? ''
