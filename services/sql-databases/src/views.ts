import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'

export const views: Views = {
  group: 'Data',
  scope: demoScope,
  resources: {
    Servers_List: {
      title: 'SQL servers',
      type: 'Vendor.Sql/servers',
      about: 'A server holds databases, each with its own role and limits.',
      invitation: 'Make a SQL server for databases',
      columns: ['name', 'properties.state', 'properties.version', 'location', 'tags'],
      example: { location: 'westeurope' },
    },
    Databases_ListByServer: {
      title: 'Databases',
      type: 'Vendor.Sql/servers/databases',
      about: 'A database on PostgreSQL; psql connects to it.',
      columns: ['name', 'properties.status', 'sku.name', 'properties.maxSizeBytes', 'tags', 'properties.creationDate'],
      state: 'properties.status',
      example: { location: 'westeurope', sku: { name: 'S0' } },
    },
    ElasticPools_ListByServer: {
      title: 'Elastic pools',
      type: 'Vendor.Sql/servers/elasticPools',
      about: 'Databases of a pool share its limits.',
      columns: ['name', 'properties.state', 'sku.name', 'properties.maxSizeBytes', 'properties.creationDate'],
      example: { location: 'westeurope', sku: { name: 'StandardPool' } },
    },
    FirewallRules_ListByServer: {
      title: 'Firewall rules',
      about: 'Addresses that may connect to the server.',
      columns: ['name', 'properties.startIpAddress', 'properties.endIpAddress'],
      create: 'FirewallRules_CreateOrUpdate',
      example: { properties: { startIpAddress: '127.0.0.1', endIpAddress: '127.0.0.1' } },
    },
    DatabaseOperations_ListByDatabase: {
      title: 'Operations',
      about: 'Changes of the database that run or ran.',
      columns: ['properties.operation', 'properties.state', 'properties.percentComplete', 'properties.startTime'],
    },
    DatabaseUsages_ListByDatabase: { title: 'Usage', columns: ['displayName', 'currentValue', 'limit', 'unit'] },
    ElasticPoolOperations_ListByElasticPool: {
      title: 'Operations',
      about: 'Changes of the pool that run or ran.',
      columns: ['properties.operation', 'properties.state', 'properties.percentComplete', 'properties.startTime'],
    },
    ServerUsages_ListByServer: { title: 'Usage', columns: ['displayName', 'currentValue', 'limit', 'unit'] },
  },
  others: ['Databases_ListByElasticPool', 'Servers_ListByResourceGroup', 'Operations_List'],
}
