import { invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'
import type { StoreInput, StoreUpdate } from './contract.ts'

/** Members that clients may send: supported, read-only, or refused below. */
const members = {
  whole: {
    body: ['id', 'name', 'type', 'location', 'tags', 'sku', 'identity', 'properties', 'systemData'],
    properties: [
      ...['provisioningState', 'creationDate', 'endpoint', 'privateEndpointConnections', 'encryption', 'createMode'],
      ...['publicNetworkAccess', 'disableLocalAuth', 'softDeleteRetentionInDays', 'enablePurgeProtection'],
    ],
  },
  change: {
    body: ['tags', 'sku', 'identity', 'properties'],
    properties: ['encryption', 'publicNetworkAccess', 'disableLocalAuth', 'enablePurgeProtection'],
  },
}

/** Refuses unsupported members, so that none is ignored silently. */
export function refuseUnbuilt(input: StoreInput | StoreUpdate, extent: keyof typeof members): void {
  const { identity, properties = {} } = input
  refuseUnknown(input, members[extent].body, 'body')
  refuseUnknown(properties, members[extent].properties, 'body/properties')
  if (properties.encryption?.keyVaultProperties?.identityClientId) notSupported(unsupported.identityClientId)
  const hasIdentity = Object.values(identity?.userAssignedIdentities ?? {}).some((value) => value !== null)
  if (hasIdentity || (identity?.type ?? 'None') !== 'None') notSupported(unsupported.identity)
}

function refuseUnknown(value: object, names: readonly string[], at: string): void {
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  if (unknown.length === 0) return
  const message = `is not supported here: use ${names.join(', ')}`
  invalid(unknown.map((name) => ({ at: `${at}/${name}`, message })))
}
