import { groupId, resourceId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { skuName } from '../names.ts'
import { endpointOf, type HsmSettings } from '../settings.ts'
import { api, type Module } from './contract.ts'
import type { Row } from './store.ts'

const moduleType = `${api.namespace}/dedicatedHSMs`

export const idOf = (row: Row) => resourceId(row, api.namespace, 'dedicatedHSMs', row.name)

export function toModule(row: Row, settings: Pick<HsmSettings, 'endpoint'>): Module {
  return {
    id: idOf(row),
    name: row.name,
    type: moduleType,
    location: row.location,
    tags: { ...row.tags },
    sku: { name: skuName },
    ...(row.zones.length > 0 && { zones: [...row.zones] }),
    properties: {
      provisioningState: row.state,
      statusMessage: row.statusMessage,
      endpoint: endpointOf(settings, row.id),
      ...(row.stampId !== null && { stampId: row.stampId }),
      ...(row.networkProfile !== null && { networkProfile: row.networkProfile }),
    },
  }
}

/** Entry in the platform's registry. */
export const entryOf = (row: Row): ResourceEntry => ({
  id: idOf(row),
  type: moduleType,
  name: row.name,
  scope: groupId(row),
  location: row.location,
  tags: row.tags,
})
