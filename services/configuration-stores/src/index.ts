import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import { type Resource, type Service, serviceHolding } from '@icosa/kernel'
import { accessKeys } from './access-keys/handlers.ts'
import { accessKeySecrets } from './access-keys/secrets.ts'
import { dataPlane } from './data-plane/routes.ts'
import { type Held, start } from './held.ts'
import { keyValues } from './key-values/handlers.ts'
import { forgetPast } from './key-values/jobs.ts'
import { originalNamespace, serviceName, versions } from './names.ts'
import { connections, linkResources } from './private-links/handlers.ts'
import { type ConfigurationStoresSettings, defaultSettings } from './settings.ts'
import { takeSnapshot } from './snapshots/jobs.ts'
import { api, ConfigurationStore } from './stores/contract.ts'
import { stores } from './stores/handlers.ts'
import { storeJobs } from './stores/jobs.ts'

export { type ConfigurationStoresSettings, defaultSettings } from './settings.ts'

const hourMs = 3_600_000

/** Stores of settings and feature flags for applications: their management, and the API by which they are read. */
export function configurationStores(settings: ConfigurationStoresSettings = defaultSettings): Service {
  const jobs = storeJobs(settings)
  const parts = { settings, jobs }
  const resources = {
    ConfigurationStores: together(stores(parts), accessKeys(parts), keyValues),
    PrivateEndpointConnections: connections,
    PrivateLinkResources: linkResources,
  }
  const contracts = Object.values(resources).map(({ contract }) => contract)
  return serviceHolding<Held>({
    letter: 'C',
    name: serviceName,
    title: 'Configuration stores',
    dialect: armServer(api, { original: originalNamespace, versions, result: ConfigurationStore }),
    resources: { ...resources, Operations: listedOperations(api, contracts, 'Configuration stores') },
    start,
    routes: dataPlane(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      stores: 'their tenants delete them',
      access_keys: 'four of a store',
      private_endpoint_connections: 'go with their store',
      revisions: 'forgetPast: a Free store remembers seven days, a Standard one thirty',
      snapshots: 'forgetPast: archived ones expire',
      snapshot_items: 'go with their snapshot',
    },
    sealed: [accessKeySecrets],
    jobs: [jobs.createStore, jobs.updateStore, jobs.deleteStore, takeSnapshot, forgetPast],
    schedules: [{ job: forgetPast, everyMs: hourMs }],
  })
}

/** Operations of several folders that callers know as one resource's. */
function together(...resources: readonly Resource<Held>[]): Resource<Held> {
  return {
    contract: Object.assign({}, ...resources.map(({ contract }) => contract)),
    handlers: Object.assign({}, ...resources.map(({ handlers }) => handlers)),
  }
}
