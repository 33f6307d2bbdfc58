import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { databases, pools, servers } from '../contract.ts'
import { poolIdOf, server, version } from './tenant.ts'

/** Creates a database in a pool and one outside. They stay `Creating`: no worker has to run, and the SQL host is not used. */
export const seed: Seed = async (owner) => {
  const { createOrUpdate } = client(databases, owner)
  const elasticPoolName = 'small'
  const databaseName = 'orders'
  const at = { params: server, query: version, body: { location: 'westeurope' } }
  await client(servers, owner).createOrUpdate(at)
  const sku = { name: 'GP_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 2 }
  const limits = { perDatabaseSettings: { maxCapacity: 1 } }
  const pool = { location: 'westeurope', sku, properties: limits }
  await client(pools, owner).createOrUpdate({ ...at, params: { ...server, elasticPoolName }, body: pool })
  const properties = { elasticPoolId: poolIdOf(elasticPoolName) }
  const { headers } = await createOrUpdate({
    params: { ...server, databaseName },
    query: version,
    body: { location: 'westeurope', properties },
  })
  await createOrUpdate({
    params: { ...server, databaseName: 'sales' },
    query: version,
    body: {
      location: 'westeurope',
      sku: { ...sku, size: 'GP_Gen5' },
      properties: { collation: 'C.UTF-8' },
    },
  })
  const operationId = /operationResults\/([^?]+)/.exec(headers.get('location') ?? '')?.[1] ?? ''
  const restorableDroppedDatabaseId = `${databaseName},134239680000000000`
  const names = { databaseName, elasticPoolName, restorableDroppedDatabaseId, firewallRuleName: 'all' }
  return { ...server, ...names, operationId, location: 'global' }
}
