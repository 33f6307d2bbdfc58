import { poolLevelOf } from './levels.ts'

/** The configured limits of a pool; null: its level's. */
export interface PoolSettings {
  readonly objective: string
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  /** Of each database. */
  readonly maxCapacity: number | null
}

/** Effective limits of a pool. */
export interface PoolLimits {
  readonly tier: string
  /** For all databases together. */
  readonly connections: number
  readonly maxSizeBytes: number
  /** For each database. */
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

/** Limits of a database's pool, if it is in one. */
export const poolOf = ({ poolSettings }: { readonly poolSettings: PoolSettings | null }): PoolLimits | undefined =>
  poolSettings === null ? undefined : poolLimitsOf(poolSettings)
