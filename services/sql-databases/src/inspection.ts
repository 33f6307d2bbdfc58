import { Failure, openDatabase } from '@icosa/kernel'
import { installation } from './databases/store.ts'
import { openSqlHost } from './host/host.ts'
import { inspectHost } from './host/preparation.ts'
import type { SqlSettings } from './settings.ts'

/**
 * Before a node starts: returns advice for the operator of the SQL host. Throws if tenants' databases would be on the platform's
 * own PostgreSQL without permission. An unavailable SQL host does not stop the node's other services: creations check again.
 */
export async function inspect(settings: SqlSettings, databaseUrl: string): Promise<string[]> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => {} })
  try {
    const platform = await installation(database)
    return await openSqlHost(settings)().briefly([], (admin) => inspectHost(admin, platform, settings))
  } catch (error) {
    if (error instanceof Failure && error.code !== 'SharedSqlHost') return [error.message]
    throw error
  } finally {
    await database.close()
  }
}
