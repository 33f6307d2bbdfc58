import { poolLevelOf } from './levels.ts'

/** What was asked for a pool; null: as much as its level gives. */
export interface PoolSettings {
  readonly objective: string
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  /** Of one database. */
  readonly maxCapacity: number | null
}

/** What a pool gives to its databases. */
export interface PoolLimits {
  readonly tier: string
  /** For all of them together. */
  readonly connections: number
  readonly maxSizeBytes: number
  /** For each. */
  readonly connectionsEach: number
}

export function poolLimitsOf({ objective, maxSizeBytes, maxConnections, maxCapacity }: PoolSettings): PoolLimits {
  const level = poolLevelOf(objective)
  const connections = Math.min(maxConnections ?? level.connections, level.connections)
  const share = (maxCapacity ?? level.sku.capacity) / level.sku.capacity
  return {
    tier: level.sku.tier,
    connections,
    maxSizeBytes: maxSizeBytes ?? level.maxSizeBytes,
    connectionsEach: Math.max(1, Math.min(connections, Math.floor(level.connections * share))),
  }
}

/** What its pool gives to a database, if it is in one. */
export const poolOf = ({ poolSettings }: { readonly poolSettings: PoolSettings | null }): PoolLimits | undefined =>
  poolSettings === null ? undefined : poolLimitsOf(poolSettings)
