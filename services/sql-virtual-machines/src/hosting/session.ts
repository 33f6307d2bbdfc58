import pg from 'pg'

/** Runs work as the superuser of an instance, through a socket that only the machines' account can access. */
export async function asSuperuser<T>(
  sockets: string,
  port: number,
  work: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new pg.Client({
    host: sockets,
    port,
    user: 'postgres',
    database,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  })
  client.on('error', () => {}) // the next statement fails
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
