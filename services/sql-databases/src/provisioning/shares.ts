import { Failure } from '@icosa/kernel'
import { limitsOf } from '../configuration/desired.ts'
import type { DatabaseRow } from '../databases/store.ts'
import { budgetOf, fairShares } from '../host/budget.ts'
import type { Session } from '../host/host.ts'
import * as onHost from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import type { SqlSettings } from '../settings.ts'

/** What a database has of that which the databases of its tenant share. */
export interface Share {
  readonly connections: number
  /** Of temporary files, for one session; undefined where the administrator may not limit them. */
  readonly tempKilobytes: number | undefined
}

/** Together they never have more than their tenant, so it is PostgreSQL that holds the tenant to it, at once. */
export function sharesOf(
  all: readonly DatabaseRow[],
  capacity: onHost.Capacity,
  settings: SqlSettings,
): Map<string, Share> {
  const requested = all.map((row) => limitsOf(row, poolOf(row)).connections)
  const connections = fairShares(budgetOf(capacity, settings), requested)
  const sessions = connections.reduce((sum, count) => sum + count, 0)
  // A power of two, so that it does not change for all databases of a tenant with each that comes or goes.
  const tempKilobytes = 2 ** Math.max(0, Math.floor(Math.log2(settings.tenant.tempBytes / 1024 / sessions)))
  const share = { tempKilobytes: capacity.maySetTempLimit ? tempKilobytes : undefined }
  return new Map(all.map(({ physical }, index) => [physical, { ...share, connections: connections[index] ?? 1 }]))
}

/** Whether a share has been applied on the SQL host. */
export function isApplied({ connections, tempKilobytes }: Share, now: onHost.Limits): boolean {
  const temp = tempKilobytes === undefined || now.settings.includes(`temp_file_limit=${tempKilobytes}kB`)
  return now.databaseConnections === connections && now.roleConnections === connections && temp
}

export async function applyShare(admin: Session, name: string, { connections, tempKilobytes }: Share): Promise<void> {
  await onHost.setConnections(admin, name, connections)
  if (tempKilobytes !== undefined) await onHost.setTempLimit(admin, name, tempKilobytes)
}

/** Every database needs a connection, so a tenant has no more of them than connections. `all` are its, oldest first. */
export function checkQuota({ id }: DatabaseRow, all: readonly DatabaseRow[], most: number): void {
  if (all.findIndex((one) => one.id === id) >= most) tooMany(most)
}

export function tooMany(most: number): never {
  throw new Failure('conflict', `You have ${most} databases, which is the limit: delete one first.`, {
    code: 'DatabaseQuotaExceeded',
  })
}
