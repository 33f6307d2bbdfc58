import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'
import { resultPanel } from '@icosa/statements/contract'

export const views: Views = {
  group: 'Data',
  scope: demoScope,
  resources: {
    Servers_List: {
      title: 'SQL servers',
      type: 'Vendor.Sql/servers',
      about: 'A server contains databases, each with its own role and limits.',
      invitation: 'Create a SQL server for your databases',
      columns: ['name', 'properties.state', 'properties.version', 'location', 'tags'],
      example: { location: 'westeurope' },
    },
    Databases_ListByServer: {
      title: 'Databases',
      type: 'Vendor.Sql/servers/databases',
      about: 'A PostgreSQL database that you can connect to with psql.',
      columns: ['name', 'properties.status', 'sku.name', 'properties.maxSizeBytes', 'tags', 'properties.creationDate'],
      state: 'properties.status',
      example: { location: 'westeurope', sku: { name: 'S0' } },
      actions: [
        ...['Databases_Pause', 'Databases_Resume', 'Databases_Rename', 'Databases_UpgradeDataWarehouse'],
        'Databases_ListCredentials',
      ],
      panels: [
        {
          title: 'Query',
          operation: 'Queries_Run',
          about: 'One statement, as the role of the database. It writes only if you say so.',
          body: { statement: 'select current_user, version()', write: false },
          show: resultPanel,
        },
        {
          title: 'Usage',
          operation: 'DatabaseUsages_ListByDatabase',
          show: { as: 'table', rows: 'value' },
          columns: ['displayName', 'currentValue', 'limit', 'unit'],
        },
      ],
    },
    ElasticPools_ListByServer: {
      title: 'Elastic pools',
      type: 'Vendor.Sql/servers/elasticPools',
      about: 'The databases in a pool share its limits.',
      columns: ['name', 'properties.state', 'sku.name', 'properties.maxSizeBytes', 'properties.creationDate'],
      example: { location: 'westeurope', sku: { name: 'StandardPool' } },
    },
    FirewallRules_ListByServer: {
      title: 'Firewall rules',
      about: 'IP addresses that may connect to this server.',
      columns: ['name', 'properties.startIpAddress', 'properties.endIpAddress'],
      create: 'FirewallRules_CreateOrUpdate',
      example: { properties: { startIpAddress: '127.0.0.1', endIpAddress: '127.0.0.1' } },
    },
    DatabaseOperations_ListByDatabase: {
      title: 'Operations',
      about: 'Changes to this database, running and completed.',
      columns: ['properties.operation', 'properties.state', 'properties.percentComplete', 'properties.startTime'],
    },
    DatabaseUsages_ListByDatabase: { title: 'Usage', columns: ['displayName', 'currentValue', 'limit', 'unit'] },
    ElasticPoolOperations_ListByElasticPool: {
      title: 'Operations',
      about: 'Changes to this pool, running and completed.',
      columns: ['properties.operation', 'properties.state', 'properties.percentComplete', 'properties.startTime'],
    },
    RestorableDroppedDatabases_ListByServer: {
      title: 'Deleted databases',
      about: 'Each can be restored to any time from its earliest restore date to its deletion.',
      columns: ['properties.databaseName', 'sku.name', 'properties.earliestRestoreDate', 'properties.deletionDate'],
    },
    RecoverableDatabases_ListByServer: {
      title: 'Recoverable databases',
      about: 'Up to when each database is archived.',
      columns: ['name', 'properties.serviceLevelObjective', 'properties.lastAvailableBackupDate'],
    },
    ServerUsages_ListByServer: { title: 'Usage', columns: ['displayName', 'currentValue', 'limit', 'unit'] },
  },
  others: ['Databases_ListByElasticPool', 'Servers_ListByResourceGroup', 'Operations_List'],
}
