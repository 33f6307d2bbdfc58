import { api } from '../stores/contract.ts'
import { storeId } from '../stores/view.ts'
import type { DeletedConfigurationStore } from './contract.ts'
import type { DeletedRow } from './store.ts'

const type = `${api.namespace}/locations/deletedConfigurationStores`

export function toDeletedStore(row: DeletedRow): DeletedConfigurationStore {
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
