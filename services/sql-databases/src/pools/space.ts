import { keyOf } from '../databases/scope.ts'
import type { DatabaseRow } from '../databases/store.ts'
import { poolOf } from './limits.ts'

/** Identifies the pool of a database. */
export function poolKeyOf(row: DatabaseRow): string | undefined {
  const { tenant, subscriptionId, resourceGroupName, serverName, pool } = row
  if (pool === null) return undefined
  return [tenant, ...[subscriptionId, resourceGroupName, serverName, pool].map(keyOf)].join('/')
}

/** Keys of pools whose databases together exceed the pool's size. */
export function fullPools(rows: readonly DatabaseRow[], bytesOf: (row: DatabaseRow) => number): ReadonlySet<string> {
  const usedBytes = new Map<string, number>()
  const full = new Set<string>()
  for (const row of rows) {
    const key = poolKeyOf(row)
    const pool = poolOf(row)
    if (key === undefined || !pool) continue
    const sum = (usedBytes.get(key) ?? 0) + bytesOf(row)
    usedBytes.set(key, sum)
    if (sum > pool.maxSizeBytes) full.add(key)
  }
  return full
}
