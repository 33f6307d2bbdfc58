import { groupId, resourceId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { type ConfigurationStoresSettings, endpointOf } from '../settings.ts'
import { api, type ConfigurationStore } from './contract.ts'
import type { Row } from './store.ts'

export const storeType = `${api.namespace}/configurationStores`

export const storeId = (row: Row) => resourceId(row, api.namespace, 'configurationStores', row.configStoreName)

/** Representation in the management API. */
export function toStore(row: Row, settings: ConfigurationStoresSettings): ConfigurationStore {
  return {
    id: storeId(row),
    name: row.configStoreName,
    type: storeType,
    location: row.location,
    tags: { ...row.tags },
    sku: { name: row.sku },
    properties: {
      provisioningState: row.state,
      creationDate: row.createdAt.toISOString(),
      endpoint: endpointOf(settings, row.configStoreName),
      publicNetworkAccess: row.publicNetworkAccess ? 'Enabled' : 'Disabled',
      disableLocalAuth: row.disableLocalAuth,
      ...(row.retentionDays !== null && { softDeleteRetentionInDays: row.retentionDays }),
      enablePurgeProtection: row.purgeProtection,
      ...(row.keyIdentifier !== null && { encryption: { keyVaultProperties: { keyIdentifier: row.keyIdentifier } } }),
    },
  }
}

/** Registry entry. */
export const entryOf = (row: Row): ResourceEntry => ({
  id: storeId(row),
  type: storeType,
  name: row.configStoreName,
  scope: groupId(row),
  location: row.location,
  tags: row.tags,
})
