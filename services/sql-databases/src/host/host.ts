import { Failure, gate } from '@icosa/kernel'
import pg from 'pg'
import type { SqlSettings } from '../settings.ts'
import * as store from './store.ts'

/** One connection to the SQL host. */
export type Session = Pick<pg.Client, 'query'>

export interface Address {
  readonly host: string
  readonly port: number
}

/** The PostgreSQL on which the databases of our callers are. */
export interface Host {
  /** Where callers reach it. */
  readonly address: Address
  /** How a role signs in to the database that has its name. */
  url(name: string, password: string): string
  /**
   * Works as the administrator, alone with these databases: whoever else wants one of them waits. The locks end with
   * the connection, so a worker that was killed leaves none behind.
   */
  alone<T>(names: readonly string[], work: (admin: Session) => Promise<T>): Promise<T>
  /** The administrator inside one of the databases. */
  inside<T>(name: string, work: (admin: Session) => Promise<T>): Promise<T>
  /** The role of a database inside it. */
  as<T>(name: string, password: string, work: (role: Session) => Promise<T>): Promise<T>
}

/** How many connections of ours a node has to the SQL host, of which callers want most. */
const places = 4

/** A worker that hangs, or a lock that nobody gives back, must not stop the rest. */
const patience = '-c lock_timeout=60000 -c idle_session_timeout=300000'
/** What callers made in their databases is never found by a name of ours. */
const ownNames = '-c search_path=pg_catalog'

export function openHost({ adminUrl, address }: SqlSettings): () => Host {
  const host = adminUrl === undefined ? undefined : hostAt(adminUrl, address)
  return () => {
    if (host) return host
    throw new Failure('unavailable', 'There is no SQL host: the operator sets ICOSA_SQL_URL to one.')
  }
}

function hostAt(adminUrl: string, address: string | undefined): Host {
  const admin = new URL(adminUrl)
  const reached = new URL(`postgres://${address ?? admin.host}`)
  const inTurn = gate(places)

  function url(name: string, password: string): string {
    const own = new URL(`postgres://${reached.host}/${name}`)
    own.username = name
    own.password = password
    const sslmode = admin.searchParams.get('sslmode')
    if (sslmode) own.searchParams.set('sslmode', sslmode)
    return own.href
  }

  return {
    address: { host: reached.hostname, port: Number(reached.port || 5432) },
    url,
    alone: (names, work) =>
      inTurn(() =>
        connected(adminUrl, async (session) => {
          await store.lock(session, names)
          return work(session)
        }),
      ),
    inside: (name, work) => connected(Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href, work),
    as(name, password, work) {
      const own = Object.assign(new URL(adminUrl), { pathname: `/${name}`, username: name, password })
      return connected(own.href, work)
    },
  }
}

async function connected<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'icosa',
    connectionTimeoutMillis: 10_000,
    options: `${patience} ${ownNames}`,
  })
  client.on('error', () => {}) // the statement that runs, or the next one, fails with it
  try {
    await client.connect().catch((cause: Error) => {
      throw new Failure('unavailable', 'The SQL host could not be reached: the operator checks ICOSA_SQL_URL.', {
        cause,
      })
    })
    return await work(client).catch(withAdvice)
  } finally {
    await client.end().catch(() => {})
  }
}

const insufficientPrivilege = '42501'

function withAdvice(cause: Error & { readonly code?: string }): never {
  if (cause.code !== insufficientPrivilege) throw cause
  throw new Failure('unavailable', 'The role of ICOSA_SQL_URL may not do this: it needs CREATEDB and CREATEROLE.', {
    cause,
  })
}
