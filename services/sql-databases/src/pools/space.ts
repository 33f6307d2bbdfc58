import { keyOf } from '../databases/scope.ts'
import type { DatabaseRow } from '../databases/store.ts'
import { poolOf } from './limits.ts'

/** By which the members of one pool know each other. */
export function poolKeyOf(row: DatabaseRow): string | undefined {
  const { tenant, subscriptionId, resourceGroupName, serverName, pool } = row
  if (pool === null) return undefined
  return [tenant, ...[subscriptionId, resourceGroupName, serverName, pool].map(keyOf)].join('/')
}

/** The pools whose databases together are larger than the pool may be. */
export function fullPools(rows: readonly DatabaseRow[], bytesOf: (row: DatabaseRow) => number): ReadonlySet<string> {
  const used = new Map<string, number>()
  const full = new Set<string>()
  for (const row of rows) {
    const key = poolKeyOf(row)
    const pool = poolOf(row)
    if (key === undefined || !pool) continue
    const sum = (used.get(key) ?? 0) + bytesOf(row)
    used.set(key, sum)
    if (sum > pool.maxSizeBytes) full.add(key)
  }
  return full
}
