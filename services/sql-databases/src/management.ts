import { Type } from '@icosa/contract'
import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import type { Api, Job } from '@icosa/kernel'
import { api, Database } from './databases/contract.ts'
import { databases } from './databases/handlers.ts'
import { firewallRules } from './firewall/handlers.ts'
import { originalNamespace, versions } from './names.ts'
import { databaseOperations, poolOperations } from './operations/handlers.ts'
import { ElasticPool } from './pools/contract.ts'
import { pools } from './pools/handlers.ts'
import type { PoolAddress } from './pools/jobs.ts'
import type { DatabaseJobs } from './provisioning/jobs.ts'
import { queries } from './queries/handlers.ts'
import { recoverableDatabases, restorableDroppedDatabases } from './restores/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { servers } from './servers/handlers.ts'
import type { SqlSettings } from './settings.ts'
import { databaseUsages, serverUsages } from './usages/handlers.ts'

export interface ManagementParts {
  readonly settings: SqlSettings
  readonly jobs: DatabaseJobs
  readonly resize: Job<PoolAddress, ServiceRuntime>
}

export function management({ settings, jobs, resize }: ManagementParts): Api<ServiceRuntime> {
  const resources = {
    Databases: databases(jobs, settings),
    DatabaseOperations: databaseOperations,
    DatabaseUsages: databaseUsages,
    ElasticPoolOperations: poolOperations,
    ElasticPools: pools(resize),
    FirewallRules: firewallRules,
    Queries: queries,
    RecoverableDatabases: recoverableDatabases(settings),
    RestorableDroppedDatabases: restorableDroppedDatabases(settings),
    Servers: servers(settings),
    ServerUsages: serverUsages(settings),
  }
  const contracts = Object.values(resources).map(({ contract }) => contract)
  return {
    dialect: armServer(api, { original: originalNamespace, versions, result: Type.Union(Database, ElasticPool) }),
    resources: { ...resources, Operations: listedOperations(api, contracts, 'SQL databases', { extension: true }) },
  }
}
