import { invalid } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { skuName } from '../names.ts'
import { unsupported } from '../unsupported.ts'
import type { ModuleInput } from './contract.ts'
import type { Choices } from './store.ts'

/** What clients know how to send: all of it is kept, is read-only and may be sent back, or is refused. */
const members = {
  body: ['id', 'name', 'type', 'location', 'tags', 'sku', 'zones', 'properties', 'systemData'],
  properties: [
    ...['provisioningState', 'statusMessage', 'endpoint', 'stampId', 'networkProfile', 'managementNetworkProfile'],
  ],
}

/** What a caller decides about a module. Nothing that is asked for is passed over in silence. */
export function chosen(input: ModuleInput): Choices {
  const { properties, sku, tags = {}, zones = [] } = input
  refuseUnknown(input, members.body, 'body')
  refuseUnknown(properties, members.properties, 'body/properties')
  if (sku.name !== skuName) notBuilt(unsupported.laterSkus, `The SKU ${sku.name}`)
  if (properties.managementNetworkProfile) notBuilt(unsupported.managementNetworkProfile)
  return { tags, zones, stampId: properties.stampId ?? null, networkProfile: properties.networkProfile ?? null }
}

function refuseUnknown(value: object, known: readonly string[], at: string): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  invalid(unknown.map((name) => ({ at: `${at}/${name}`, message: `is not supported here: use ${known.join(', ')}` })))
}
