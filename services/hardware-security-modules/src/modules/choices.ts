import { invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { skuName } from '../names.ts'
import { unsupported } from '../unsupported.ts'
import type { ModuleInput } from './contract.ts'
import type { Choices } from './store.ts'

/** Accepted fields: stored, read-only, or refused with 501. */
const members = {
  body: ['id', 'name', 'type', 'location', 'tags', 'sku', 'zones', 'properties', 'systemData'],
  properties: [
    ...['provisioningState', 'statusMessage', 'endpoint', 'stampId', 'networkProfile', 'managementNetworkProfile'],
  ],
}

/** Extracts a caller's choices; refuses unknown and unsupported fields. */
export function choicesIn(input: ModuleInput): Choices {
  const { properties, sku, tags = {}, zones = [] } = input
  refuseUnknown(input, members.body, 'body')
  refuseUnknown(properties, members.properties, 'body/properties')
  if (sku.name !== skuName) notSupported(unsupported.laterSkus, `The SKU ${sku.name}`)
  if (properties.managementNetworkProfile) notSupported(unsupported.managementNetworkProfile)
  return { tags, zones, stampId: properties.stampId ?? null, networkProfile: properties.networkProfile ?? null }
}

function refuseUnknown(value: object, supported: readonly string[], at: string): void {
  const unknown = Object.keys(value).filter((name) => !supported.includes(name))
  if (unknown.length === 0) return
  invalid(unknown.map((name) => ({ at: `${at}/${name}`, message: `is not supported: use ${supported.join(', ')}` })))
}
