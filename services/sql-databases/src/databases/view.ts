import { groupId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { limitsOf } from '../configuration/desired.ts'
import { isWarehouse, type Level, levelOf, pooledObjective } from '../configuration/levels.ts'
import { poolOf } from '../pools/limits.ts'
import { windowOf } from '../restores/window.ts'
import type { SqlSettings } from '../settings.ts'
import { api, type Database } from './contract.ts'
import { databaseId, poolId } from './scope.ts'
import type { DatabaseRow } from './store.ts'

export const type = `${api.namespace}/servers/databases`

export function toDatabase(row: DatabaseRow, settings: SqlSettings, now: Date): Database {
  const restorable = windowOf(row, settings, now)
  const pool = poolOf(row)
  const { level, maxSizeBytes, connections } = limitsOf(row, pool)
  const skuOf = ({ sku, objective }: Level) =>
    pool && objective === pooledObjective ? { ...sku, tier: pool.tier } : sku
  const current = row.currentObjective === null ? undefined : levelOf(row.currentObjective)
  return {
    id: databaseId(row),
    name: row.databaseName,
    type,
    kind: isWarehouse(level) ? 'v12.0,user,datawarehouse' : 'v12.0,user',
    location: row.location,
    tags: { ...row.tags },
    sku: skuOf(level),
    properties: {
      databaseId: row.id,
      status: row.status,
      creationDate: row.createdAt.toISOString(),
      requestedServiceObjectiveName: level.objective,
      ...(current && { currentServiceObjectiveName: current.objective, currentSku: skuOf(current) }),
      maxSizeBytes,
      storageState: row.storage,
      ...(restorable && { earliestRestoreDate: restorable.from.toISOString() }),
      // With one SQL host, a secondary would be in the same place.
      defaultSecondaryLocation: row.location,
      ...collationOf(row),
      catalogCollation: 'DATABASE_DEFAULT',
      readScale: 'Disabled',
      zoneRedundant: false,
      ...(row.maxConnections !== null && { maxConnections: connections }),
      ...(row.pool !== null && { elasticPoolId: poolId(row, row.pool) }),
      ...(row.licenseType !== null && { licenseType: row.licenseType }),
      ...(row.sample !== null && { sampleName: row.sample }),
      ...(row.pausedAt && { pausedDate: row.pausedAt.toISOString() }),
      ...(row.resumedAt && { resumedDate: row.resumedAt.toISOString() }),
    },
  }
}

/** Until the SQL host was read, only the requested one. */
function collationOf({ collation, hostCollation }: DatabaseRow) {
  const effective = collation ?? hostCollation
  return { ...(effective !== null && { collation: effective }), ...(hostCollation !== null && { hostCollation }) }
}

/** The database's entry in the platform's registry. */
export function entryOf(row: DatabaseRow): ResourceEntry {
  return {
    id: databaseId(row),
    type,
    name: row.databaseName,
    scope: groupId(row),
    location: row.location,
    tags: row.tags,
  }
}
