import { configurationStores } from '@icosa/configuration-stores'
import type { Service } from '@icosa/kernel'
import { dropPhysical, testService } from '@icosa/sql-databases/testing/app'
import type { TestApp } from '@icosa/testing'

/** A resource with long-running operations, as seen by a client. */
export interface Subject {
  readonly name: string
  readonly service: () => Service
  readonly apiVersion: string
  /** Below the service, without the query. */
  path(resource: string): string
  readonly put: () => unknown
  readonly patch: () => unknown
  /** Actions that are posted, such as `pause`. */
  readonly actions: readonly string[]
  /** States of the resource when no operation is running. */
  readonly settled: readonly string[]
  stateOf(body: { properties?: Record<string, unknown> }): unknown
  /** Number of random sequences; fewer if one takes long. */
  readonly runs: number
  /** Deletes external resources that were created. */
  clean?(app: TestApp): Promise<void>
}

const group = '/subscriptions/mine/resourceGroups/group/providers'
let change = 0

export const subjects: readonly Subject[] = [
  {
    name: 'configuration stores',
    service: () => configurationStores(),
    apiVersion: '2019-11-01-preview',
    path: (resource) => `${group}/Vendor.AppConfiguration/configurationStores/${resource}`,
    put: () => ({ location: 'here', sku: { name: 'Standard' } }),
    patch: () => ({ properties: { disableLocalAuth: change++ % 2 === 0 } }),
    actions: [],
    settled: ['Succeeded', 'Failed'],
    stateOf: ({ properties }) => properties?.provisioningState,
    runs: 20,
  },
  {
    name: 'SQL databases',
    service: () => testService(),
    apiVersion: '2017-10-01-preview',
    path: (resource) => `${group}/Vendor.Sql/servers/main/databases/${resource}`,
    put: () => ({ location: 'here', sku: { name: 'S0', tier: 'Standard' } }),
    patch: () => ({ sku: { name: `S${change++ % 3}`, tier: 'Standard' } }),
    actions: ['pause', 'resume'],
    settled: ['Online', 'Paused'],
    stateOf: ({ properties }) => properties?.status,
    runs: 6,
    clean: (app) => dropPhysical(app.platform.database),
  },
]
