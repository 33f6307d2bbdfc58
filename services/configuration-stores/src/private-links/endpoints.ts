import { isIPv6 } from 'node:net'
import { type ConfigurationStoresSettings, networksOf } from '../settings.ts'

/** The private endpoints of this platform. */
export interface Endpoints {
  has(id: string): boolean
  /** Whether a request from this address comes through the endpoint. */
  leads(id: string, address: string): boolean
}

/** Ids are compared without case, as those of all resources. */
export const endpointKey = (id: string) => id.toLowerCase()

export function endpointsOf({ privateEndpoints }: Pick<ConfigurationStoresSettings, 'privateEndpoints'>): Endpoints {
  const entries = Object.entries(privateEndpoints)
  const networks = new Map(entries.map(([id, all]) => [endpointKey(id), networksOf(all)]))
  return {
    has: (id) => networks.has(endpointKey(id)),
    leads: (id, address) => networks.get(endpointKey(id))?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ?? false,
  }
}
