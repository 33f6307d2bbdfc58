import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import { limitsOf } from '../configuration/desired.ts'
import { isOnHost } from '../databases/begin.ts'
import { countOfTenant, find } from '../databases/store.ts'
import { connectionsByRole } from '../host/sessions-store.ts'
import { currentLimits, measure } from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as servers from '../servers/store.ts'
import type { SqlSettings } from '../settings.ts'
import { databaseUsages as ofDatabases, serverUsages as ofServers } from './contract.ts'

export const serverUsages = ({ tenant: { connections } }: SqlSettings): Resource<ServiceRuntime> =>
  implement<typeof ofServers, ServiceRuntime>(ofServers, {
    async listByServer({ params }, { db, caller }) {
      const row = (await servers.find(db, caller.tenant, params)) ?? notFound('server', params.serverName)
      const { databases } = await servers.contentsOf(db, row)
      // The quota is the tenant's, for databases on all servers.
      const elsewhere = (await countOfTenant(db, caller.tenant)) - databases
      return ok({
        value: [
          {
            name: 'databases',
            resourceName: row.serverName,
            displayName: 'Databases',
            currentValue: databases,
            limit: Math.max(0, connections - elsewhere),
            unit: 'Count',
          },
        ],
      })
    },
  })

/** Current values on the SQL host. */
export const databaseUsages: Resource<ServiceRuntime> = implement<typeof ofDatabases, ServiceRuntime>(ofDatabases, {
  async listByDatabase({ params }, { db, caller, runtime }) {
    const row = (await find(db, caller.tenant, params)) ?? notFound('database', params.databaseName)
    if (!isOnHost(row)) return ok({ value: [] })
    const { physical, databaseName: resourceName } = row
    const [size, sessions, limits] = await runtime
      .host()
      .briefly([], async (admin) => [
        (await measure(admin, [physical])).get(physical),
        (await connectionsByRole(admin, physical)).get(physical),
        (await currentLimits(admin, [physical]))[0],
      ])
    const { connections, maxSizeBytes } = limitsOf(row, poolOf(row))
    const usage = (name: string, displayName: string, unit: string, currentValue: number, limit: number) => ({
      ...{ name, resourceName, displayName, currentValue, limit, unit },
    })
    return ok({
      value: [
        usage('database_size', 'Database Size', 'Bytes', size?.bytes ?? 0, maxSizeBytes),
        // The share on the host may be lower than the sku's limit.
        usage('connections', 'Connections', 'Count', sessions ?? 0, limits?.databaseConnections ?? connections),
      ],
    })
  },
})
