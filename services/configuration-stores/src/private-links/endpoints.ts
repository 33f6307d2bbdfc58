import { isIPv6 } from 'node:net'
import { type ConfigurationStoresSettings, networksOf } from '../settings.ts'

/** The private endpoints of this platform. */
export interface Endpoints {
  has(id: string): boolean
  /** Whether an address belongs to the endpoint's networks. */
  includes(id: string, address: string): boolean
}

/** IDs are case-insensitive, like those of all resources. */
export const endpointKey = (id: string) => id.toLowerCase()

export function endpointsOf({ privateEndpoints }: Pick<ConfigurationStoresSettings, 'privateEndpoints'>): Endpoints {
  const entries = Object.entries(privateEndpoints)
  const networks = new Map(entries.map(([id, ranges]) => [endpointKey(id), networksOf(ranges)]))
  return {
    has: (id) => networks.has(endpointKey(id)),
    includes: (id, address) =>
      networks.get(endpointKey(id))?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ?? false,
  }
}
