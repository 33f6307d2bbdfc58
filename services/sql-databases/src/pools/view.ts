import { groupId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { api } from '../databases/contract.ts'
import { poolId } from '../databases/scope.ts'
import type { ElasticPool } from './contract.ts'
import { poolLevelOf } from './levels.ts'
import { poolLimitsOf } from './limits.ts'
import type { PoolRow } from './store.ts'

const type = `${api.namespace}/servers/elasticPools`

export const idOfPool = (row: PoolRow) => poolId(row, row.elasticPoolName)

export function toPool(row: PoolRow): ElasticPool {
  const { sku } = poolLevelOf(row.objective)
  return {
    id: idOfPool(row),
    name: row.elasticPoolName,
    type,
    kind: 'pool',
    location: row.location,
    tags: { ...row.tags },
    sku,
    properties: {
      state: 'Ready',
      creationDate: row.createdAt.toISOString(),
      maxSizeBytes: poolLimitsOf(row).maxSizeBytes,
      perDatabaseSettings: { minCapacity: 0, maxCapacity: row.maxCapacity ?? sku.capacity },
      zoneRedundant: false,
      ...(row.maxConnections !== null && { maxConnections: row.maxConnections }),
      ...(row.licenseType !== null && { licenseType: row.licenseType }),
    },
  }
}

export function entryOf(row: PoolRow): ResourceEntry {
  const { location, tags } = row
  return { id: idOfPool(row), type, name: row.elasticPoolName, scope: groupId(row), location, tags }
}
