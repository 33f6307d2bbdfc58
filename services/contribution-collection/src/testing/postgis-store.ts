import pg from 'pg'

/** Installs the extension as a superuser; false if the server has neither. */
export async function installPostgis(databaseUrl: string): Promise<boolean> {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  url.password = ''
  const client = new pg.Client({ connectionString: url.href })
  try {
    await client.connect()
    await client.query('create extension if not exists postgis')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
