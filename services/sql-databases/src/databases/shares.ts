import { Failure } from '@icosa/kernel'
import { budgetOf, fairShares } from '../host/budget.ts'
import type { Session } from '../host/host.ts'
import * as onHost from '../host/store.ts'
import type { SqlSettings } from '../settings.ts'
import type { DatabaseRow } from './store.ts'
import { limitsOf } from './wanted.ts'

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
  const wanted = all.map((row) => limitsOf(row, settings.pool).connections)
  const connections = fairShares(budgetOf(capacity, settings), wanted)
  const sessions = connections.reduce((sum, count) => sum + count, 0)
  // A power of two, so that it does not change for all databases of a tenant with each that comes or goes.
  const tempKilobytes = 2 ** Math.max(0, Math.floor(Math.log2(settings.tenant.tempBytes / 1024 / sessions)))
  const share = { tempKilobytes: capacity.maySetTempLimit ? tempKilobytes : undefined }
  return new Map(all.map(({ physical }, index) => [physical, { ...share, connections: connections[index] ?? 1 }]))
}

/** Whether the SQL host was told of a share. */
export function isTold({ connections, tempKilobytes }: Share, now: onHost.Limits): boolean {
  const temp = tempKilobytes === undefined || now.settings.includes(`temp_file_limit=${tempKilobytes}kB`)
  return now.databaseConnections === connections && now.roleConnections === connections && temp
}

export async function tell(admin: Session, name: string, { connections, tempKilobytes }: Share): Promise<void> {
  await onHost.setConnections(admin, name, connections)
  if (tempKilobytes !== undefined) await onHost.setTempLimit(admin, name, tempKilobytes)
}

/** Every database needs a connection, so a tenant has no more of them than connections. `all` are its, oldest first. */
export function checkPlace({ id }: DatabaseRow, all: readonly DatabaseRow[], places: number): void {
  if (all.findIndex((one) => one.id === id) >= places) tooMany(places)
}

export function tooMany(places: number): never {
  throw new Failure(
    'conflict',
    `There are ${places} databases, and no more are given to one tenant: delete one first.`,
    {
      code: 'DatabaseQuotaExceeded',
    },
  )
}
