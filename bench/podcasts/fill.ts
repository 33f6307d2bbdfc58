/** Fills a database with a synthetic directory, and prints its cost. */
import { openDatabase, prepareDatabase, sql, systemClock } from '@icosa/kernel'
import { podcastDirectory } from '@icosa/podcast-directory'
import { testSettings } from '../../services/podcast-directory/src/testing/app.ts'
import { type Filled, fillInBulk } from '../../services/podcast-directory/src/testing/bulk-store.ts'

export const tenant = 'bench'

export interface FilledDatabase extends Filled {
  readonly megabytes: Readonly<Record<string, number>>
}

export async function fill(url: string, episodes: number): Promise<FilledDatabase> {
  const database = openDatabase({ url, maxConnections: 2, onError: console.error })
  await prepareDatabase(database, [podcastDirectory(testSettings)])
  const size = { seed: 7, podcasts: Math.ceil(episodes / 50), episodes }
  const filled = await fillInBulk(database, tenant, size, systemClock.now())
  const rows = await database.many<{ name: string; megabytes: number }>(sql`
    select relname as name, round(pg_relation_size(oid) / 1e6)::float8 as megabytes from pg_class
    where relnamespace = 'podcast_directory'::regnamespace
      and relname in ('episodes', 'documents', 'documents_by_term', 'documents_by_place', 'vocabulary')`)
  await database.close()
  return { ...filled, megabytes: Object.fromEntries(rows.map(({ name, megabytes }) => [name, megabytes])) }
}
