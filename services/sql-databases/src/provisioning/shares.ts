import { Failure } from '@icosa/kernel'
import { limitsOf } from '../configuration/desired.ts'
import type { DatabaseRow } from '../databases/store.ts'
import { budgetOf, fairShares } from '../host/budget.ts'
import type { Session } from '../host/host.ts'
import * as onHost from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import type { SqlSettings } from '../settings.ts'

/** A database's share of its tenant's quotas. */
export interface Share {
  readonly connections: number
  /** Temporary files of one session; undefined if the administrator may not limit them. */
  readonly tempKilobytes: number | undefined
}

/** The sum never exceeds the tenant's quota, so PostgreSQL itself enforces it immediately. */
export function sharesOf(
  databases: readonly DatabaseRow[],
  capacity: onHost.Capacity,
  settings: SqlSettings,
): Map<string, Share> {
  const requested = databases.map((row) => limitsOf(row, poolOf(row)).connections)
  const connections = fairShares(budgetOf(capacity, settings), requested)
  const sessions = connections.reduce((sum, count) => sum + count, 0)
  // A power of two, so that it rarely changes when a tenant's databases are created or deleted.
  const tempKilobytes = 2 ** Math.max(0, Math.floor(Math.log2(settings.tenant.tempBytes / 1024 / sessions)))
  const share = { tempKilobytes: capacity.maySetTempLimit ? tempKilobytes : undefined }
  return new Map(databases.map(({ physical }, index) => [physical, { ...share, connections: connections[index] ?? 1 }]))
}

/** Whether the SQL host has the limits of a share. */
export function isApplied({ connections, tempKilobytes }: Share, current: onHost.Limits): boolean {
  const temp = tempKilobytes === undefined || current.settings.includes(`temp_file_limit=${tempKilobytes}kB`)
  return current.databaseConnections === connections && current.roleConnections === connections && temp
}

export async function applyShare(admin: Session, name: string, { connections, tempKilobytes }: Share): Promise<void> {
  await onHost.setConnections(admin, name, connections)
  if (tempKilobytes !== undefined) await onHost.setTempLimit(admin, name, tempKilobytes)
}

/** Each database needs a connection, so a tenant has at most as many as connections. `databases` are its own, oldest first. */
export function checkQuota({ id }: DatabaseRow, databases: readonly DatabaseRow[], maxDatabases: number): void {
  if (databases.findIndex((database) => database.id === id) >= maxDatabases) tooMany(maxDatabases)
}

export function tooMany(maxDatabases: number): never {
  throw new Failure('conflict', `The limit of ${maxDatabases} databases is reached: delete one first.`, {
    code: 'DatabaseQuotaExceeded',
  })
}
