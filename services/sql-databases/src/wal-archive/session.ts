import pg from 'pg'

/** A connection for ordinary queries of the archiving role. */
export interface HostSession extends AsyncDisposable {
  readonly query: pg.Client['query']
}

export async function openSession(config: pg.ClientConfig): Promise<HostSession> {
  const client = new pg.Client({ application_name: 'icosa archive', connectionTimeoutMillis: 10_000, ...config })
  client.on('error', () => {}) // the next query rejects with it
  await client.connect()
  return {
    query: client.query.bind(client) as pg.Client['query'],
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  }
}
