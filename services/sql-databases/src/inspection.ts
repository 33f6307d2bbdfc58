import { Failure, openDatabase } from '@icosa/kernel'
import { installation } from './databases/store.ts'
import { openSqlHost } from './host/host.ts'
import { inspectHost } from './host/preparation.ts'
import type { SqlSettings } from './settings.ts'

/**
 * Before a node starts: what an operator can do to make the SQL host hold more, in words. Throws if databases of tenants
 * would come to lie beside the platform's own rows though nobody has allowed that. A SQL host that is away does not keep the
 * node from its other services: creations ask again.
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
