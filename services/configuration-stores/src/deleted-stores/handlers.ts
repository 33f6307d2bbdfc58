import { accepted, Failure, implement, notFound, ok, type Resource } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { isSameLocation } from '../stores/address.ts'
import { api } from '../stores/contract.ts'
import type { Parts } from '../stores/lifecycle.ts'
import * as stores from '../stores/store.ts'
import { storeId } from '../stores/view.ts'
import { deletedStores as contract, type DeletedConfigurationStore } from './contract.ts'
import type { DeletedRow } from './store.ts'
import * as store from './store.ts'

interface DeletedAddress {
  readonly configStoreName: string
  readonly location: string
}

export function deletedStores({ jobs }: Pick<Parts, 'jobs'>): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listDeleted({ params, query }, { db, caller }) {
      const { items, next } = await store.list(db, caller.tenant, params, query.$skipToken)
      return ok({ value: items.map(toDeletedStore) }, { next })
    },

    async getDeleted({ params }, { db, caller }) {
      return ok(toDeletedStore(demandDeleted(await store.find(db, caller.tenant, params), params)))
    },

    async purgeDeleted({ params }, { db, caller, operations }) {
      const row = demandDeleted(await store.lock(db, caller.tenant, params), params)
      if (row.state === 'Deleting') conflict(`'${row.configStoreName}' is being purged.`, 'OperationInProgress')
      if (row.purgeProtection)
        conflict(
          `'${row.configStoreName}' is protected from purging until ${row.purgeAt.toISOString()}.`,
          'PurgeProtectionEnabled',
        )
      await stores.setState(db, row, 'Deleting')
      const work = { tenant: row.tenant, id: row.id }
      return accepted(undefined, await operations.start(jobs.purgeStore, work, { resource: storeId(row) }))
    },
  })
}

function demandDeleted(
  row: store.DeletedRow | undefined,
  { configStoreName, location }: DeletedAddress,
): store.DeletedRow {
  if (row && isSameLocation(row.location, location)) return row
  return notFound('deleted configuration store', configStoreName)
}

function conflict(message: string, code: string): never {
  throw new Failure('conflict', message, { code })
}

const type = `${api.namespace}/locations/deletedConfigurationStores`

function toDeletedStore(row: DeletedRow): DeletedConfigurationStore {
  const { subscriptionId, configStoreName: name, location, tags, deletedAt, purgeAt, purgeProtection } = row
  return {
    id: `/subscriptions/${subscriptionId}/providers/${api.namespace}/locations/${location}/deletedConfigurationStores/${name}`,
    name,
    type,
    properties: {
      configurationStoreId: storeId(row),
      location,
      deletionDate: deletedAt.toISOString(),
      scheduledPurgeDate: purgeAt.toISOString(),
      tags: { ...tags },
      purgeProtectionEnabled: purgeProtection,
    },
  }
}
