import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { databases } from '../contract.ts'
import { idOf, server, version } from './tenant.ts'

/** A database in a pool and one outside, which are being created: no worker has to run, and nothing is left on the SQL host. */
export const seed: Seed = async (owner) => {
  const { createOrUpdate } = client(databases, owner)
  const elasticPoolName = 'small'
  const databaseName = 'orders'
  const properties = { elasticPoolId: idOf('x').replace('databases/x', `elasticPools/${elasticPoolName}`) }
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
      sku: { name: 'GP_Gen5', tier: 'GeneralPurpose', family: 'Gen5', capacity: 2, size: 'GP_Gen5' },
      properties: { collation: 'C.UTF-8' },
    },
  })
  const operationId = /operationResults\/([^?]+)/.exec(headers.get('location') ?? '')?.[1] ?? ''
  return { ...server, databaseName, elasticPoolName, operationId, location: 'global' }
}
