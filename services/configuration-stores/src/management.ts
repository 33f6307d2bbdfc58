import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import type { Api, Resource } from '@icosa/kernel'
import { accessKeys } from './access-keys/handlers.ts'
import { deletedStores } from './deleted-stores/handlers.ts'
import { managedKeyValues } from './key-values/handlers.ts'
import { originalNamespace, versions } from './names.ts'
import { connections, linkResources } from './private-links/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import type { ConfigurationStoresSettings } from './settings.ts'
import { api, ConfigurationStore } from './stores/contract.ts'
import { stores } from './stores/handlers.ts'
import type { StoreJobs } from './stores/jobs.ts'

/** The management API of stores. */
export function management(parts: { settings: ConfigurationStoresSettings; jobs: StoreJobs }): Api<ServiceRuntime> {
  const resources = {
    ConfigurationStores: combined(stores(parts), deletedStores(parts), accessKeys(parts), managedKeyValues),
    PrivateEndpointConnections: connections(parts.settings),
    PrivateLinkResources: linkResources,
  }
  const contracts = Object.values(resources).map(({ contract }) => contract)
  return {
    dialect: armServer(api, { original: originalNamespace, versions, result: ConfigurationStore }),
    resources: { ...resources, Operations: listedOperations(api, contracts, 'Configuration stores') },
  }
}

/** Merges operations that belong to one resource of the API. */
function combined(...resources: readonly Resource<ServiceRuntime>[]): Resource<ServiceRuntime> {
  return {
    contract: Object.assign({}, ...resources.map(({ contract }) => contract)),
    handlers: Object.assign({}, ...resources.map(({ handlers }) => handlers)),
  }
}
