import { type Finding, found, missing } from './need.ts'

const minVersion = 15

/** Checks that a recent enough PostgreSQL answers. */
export async function postgresAt(url: string): Promise<Finding> {
  const { openDatabase, sql } = await import('@icosa/kernel')
  const at = URL.parse(url)?.host ?? 'the address'
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    const { server_version: version } = await database.one<{ server_version: string }>(sql`show server_version`)
    const finding = Number.parseInt(version, 10) >= minVersion ? found : missing
    return finding(`PostgreSQL ${version} at ${at}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return missing(`${at} refused the connection: ${message || code}`)
  } finally {
    await database.close()
  }
}
