import { parseResourceId } from '@icosa/dialects/arm/ids'
import { type Backup, Failure, type JobContext, notFound, paramsReader, sealingContext } from '@icosa/kernel'
import { addRows, bytesIn, contentOf, hexOf, jsonOf, linesIn, linesOf, placeIn, withRows } from '@icosa/module/rows'
import { accessKeySecrets, openSecret } from './access-keys/secrets.ts'
import * as backups from './backups-store.ts'
import type { Bound, Cipher } from './encryption/cipher.ts'
import type { ServiceRuntime } from './runtime.ts'
import { names } from './stores/contract.ts'
import type { StoreJobs } from './stores/jobs.ts'
import * as store from './stores/store.ts'
import { entryOf, storeId, storeType } from './stores/view.ts'

type KeyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly secret: string }

type ValueRow = Readonly<Record<string, unknown>> & Bound & { readonly content: string | null }

/** Backups contain plaintext, encrypted by their vault: they may outlive the key of the HSM. */
const decrypting =
  (cipher: Cipher | undefined) =>
  ({ content, ...row }: ValueRow): object => {
    if (content === null) return row
    if (!cipher) throw new Failure('unavailable', 'The encryption of the store has just been changed: try again.')
    const { value, contentType } = cipher.open(bytesIn(content), row)
    return { ...row, value, content_type: contentType }
  }

const readNames = paramsReader(names)

/** A store with its keys, labels, revisions, snapshots and access keys. */
export function storeBackup({ purgeStore }: StoreJobs): Backup<ServiceRuntime> {
  return {
    type: storeType,

    async read(id, { db, tenant, tenantVault, runtime }) {
      const row = await demandStore(id, db, tenant)
      if (row.state !== 'Succeeded')
        throw new Failure('conflict', `The store '${row.configStoreName}' is ${row.state}: try again in a moment.`)
      const vault = await tenantVault()
      const lines = withRows<KeyRow>(await linesOf(db, backups.rowsOf(row)), backups.accessKeyTable, (key) => ({
        ...key,
        secret: openSecret(vault, row.id, { id: key.id, sealed: bytesIn(key.secret) }),
      }))
      const wrapped = store.wrappedKeyOf(row)
      const cipher = wrapped && (await runtime.dataKeys.of({ ...row, name: row.configStoreName }, wrapped))
      const plaintext = backups.valueTables.reduce(
        (rows, table) => withRows<ValueRow>(rows, table, decrypting(cipher)),
        lines,
      )
      const { subscriptionId, resourceGroupName, configStoreName } = row
      return { content: contentOf(plaintext), metadata: { subscriptionId, resourceGroupName, configStoreName } }
    },

    async restore({ id, metadata, content, tags }, { tenant, tenantVault, runtime, transaction }) {
      const address = readNames(placeIn(metadata, ['subscriptionId', 'resourceGroupName', 'configStoreName']))
      const name = address.configStoreName
      const vault = await tenantVault()
      const lines = withRows<KeyRow>(await linesIn(content), backups.accessKeyTable, (key) => ({
        ...key,
        secret: hexOf(vault.seal(key.secret, sealingContext(accessKeySecrets, { store: id, id: key.id }))),
      }))
      const row = await transaction(async (db, _, resources) => {
        const existing = await store.lockById(db, tenant, id)
        if (existing) return existing // restored by a worker that was killed before reporting it
        if (await backups.isTaken(db, name))
          throw new Failure('alreadyExists', `The name '${name}' is already in use: restore it under another one.`)
        const columns = { ...backups.ownColumns(tenant, id, address), tags }
        await addRows(db, backups.storeTable, jsonOf(lines, backups.storeTable), columns)
        for (const table of backups.tables) await addRows(db, table, jsonOf(lines, table), { tenant, store: id })
        const restored = (await store.lockById(db, tenant, id)) ?? notFound('store', name)
        await resources.put(entryOf(restored))
        return restored
      })
      runtime.directory.forget(name)
      return storeId(row)
    },

    trial: (metadata, id) => ({ ...metadata, configStoreName: `restored-${id}` }),

    /** Purges it, even with soft delete. */
    async remove(id, { db, tenant, runtime, transaction }) {
      const row = await demandStore(id, db, tenant)
      runtime.directory.forget(row.configStoreName)
      await transaction(async (last, jobs) => {
        await store.setState(last, row, 'Deleting')
        await jobs.enqueue(purgeStore, { tenant, id: row.id })
      })
    },
  }
}

async function demandStore(id: string, db: JobContext['db'], tenant: string): Promise<store.Row> {
  const { subscriptionId = '', resourceGroupName = '', segments } = parseResourceId(id) ?? {}
  const [, configStoreName = ''] = segments ?? []
  const row = await store.find(db, tenant, { subscriptionId, resourceGroupName, configStoreName })
  return row ?? notFound('store', id)
}
