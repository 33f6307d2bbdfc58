import { openDatabase } from '@icosa/kernel'
import { installation } from './databases/store.ts'
import { openHost } from './host/host.ts'
import { inspectHost } from './host/preparation.ts'
import type { SqlSettings } from './settings.ts'

/**
 * Before a node starts: what an operator can do to make the SQL host hold more, in words. Throws if databases of tenants
 * would come to lie beside the platform's own rows though nobody has allowed that.
 */
export async function inspect(settings: SqlSettings, databaseUrl: string): Promise<string[]> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => {} })
  try {
    const platform = await installation(database)
    return await openHost(settings)().briefly([], (admin) => inspectHost(admin, platform, settings))
  } finally {
    await database.close()
  }
}
