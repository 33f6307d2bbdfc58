import { Failure, semaphore } from '@icosa/kernel'
import pg from 'pg'
import type { SqlSettings } from '../settings.ts'
import { watchForBlockers } from './blockers.ts'
import { endBlockersOf, ownPid } from './sessions-store.ts'
import * as store from './store.ts'

/** One connection to the SQL host. */
export type Session = Pick<pg.Client, 'query'>

export interface Address {
  readonly host: string
  readonly port: number
}

export interface SignIn {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs work as the administrator, with exclusive locks on these databases. */
type Alone = <T>(names: readonly string[], work: (admin: Session) => Promise<T>) => Promise<T>

/** The PostgreSQL server of the callers' databases. */
export interface SqlHost {
  /** Its address for callers. */
  readonly address: Address
  /** Connection string of a role for the database of the same name. */
  url(name: string, password: string): string
  /** The same for a program on a worker. The password is in its environment. */
  signIn(name: string, password: string): SignIn
  /** For callers' requests. Locks end with the connection, so a killed worker leaves none behind. */
  readonly alone: Alone
  /** For supervision: with connections of its own, and short timeouts. */
  readonly briefly: Alone
  /** Runs work as the administrator inside a database. */
  inside<T>(name: string, work: (admin: Session) => Promise<T>): Promise<T>
  /** Runs work as a database's own role inside it. */
  as<T>(name: string, password: string, work: (role: Session) => Promise<T>): Promise<T>
  /** How the node connects as a database's own role. */
  connection(name: string, password: string): pg.ClientConfig
}

export const unreachable = 'The SQL host could not be reached: ask the operator to check ICOSA_SQL_URL.'

/** Maximum numbers of administrative connections of a node, for callers and for supervision. */
const maxConnections = 4
const maxSupervisingConnections = 2

/** Limits a worker that hangs and a lock that is never released. */
const timeouts = '-c lock_timeout=60000 -c idle_session_timeout=300000'
const shortTimeouts = '-c lock_timeout=5000 -c statement_timeout=30000 -c idle_session_timeout=60000'
/** Never resolves our names to objects that callers created. */
const searchPath = '-c search_path=pg_catalog'

export function openSqlHost({ adminUrl, address }: SqlSettings): () => SqlHost {
  const host = adminUrl === undefined ? undefined : sqlHostAt(adminUrl, address)
  return () => {
    if (host) return host
    throw new Failure('unavailable', 'No SQL host is configured: ask the operator to set ICOSA_SQL_URL.')
  }
}

function sqlHostAt(adminUrl: string, address: string | undefined): SqlHost {
  const admin = new URL(adminUrl)
  const callerUrl = new URL(`postgres://${address ?? admin.host}`)
  const watchBlockers = watchForBlockers((pids) =>
    withSession(adminUrl, `${shortTimeouts} ${searchPath}`, (session) => endBlockersOf(session, pids)),
  )

  function url(name: string, password: string): string {
    const own = new URL(`postgresql://${callerUrl.host}/${name}`) // SQLAlchemy does not take postgres://
    own.username = name
    own.password = password
    const sslmode = admin.searchParams.get('sslmode')
    if (sslmode) own.searchParams.set('sslmode', sslmode)
    return own.href
  }

  const urlAs = (name: string, password: string) =>
    Object.assign(new URL(adminUrl), { pathname: `/${name}`, username: name, password }).href

  const withAdministrator = <T>(at: string, options: string, work: (session: Session) => Promise<T>) =>
    withSession(at, `${options} ${searchPath}`, async (session) =>
      watchBlockers(await ownPid(session), () => work(session)),
    )

  function exclusiveWork(maxConcurrency: number, options: string): Alone {
    const inTurn = semaphore(maxConcurrency)
    return (names, work) =>
      inTurn(() =>
        withAdministrator(adminUrl, options, async (session) => {
          await store.lock(session, names)
          return work(session)
        }),
      )
  }

  return {
    address: { host: callerUrl.hostname, port: Number(callerUrl.port || 5432) },
    url,
    signIn(name, password) {
      const own = Object.assign(new URL(adminUrl), { pathname: `/${name}`, username: name, password: '' })
      return { url: own.href, env: { PGPASSWORD: password, PGCONNECT_TIMEOUT: '10' } }
    },
    alone: exclusiveWork(maxConnections, timeouts),
    briefly: exclusiveWork(maxSupervisingConnections, shortTimeouts),
    inside: (name, work) =>
      withAdministrator(Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href, timeouts, work),
    as: (name, password, work) => withSession(urlAs(name, password), `${timeouts} ${searchPath}`, work),
    connection: (name, password) => ({ connectionString: urlAs(name, password) }),
  }
}

async function withSession<T>(url: string, options: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'icosa',
    connectionTimeoutMillis: 10_000,
    options,
  })
  client.on('error', () => {}) // the current or the next statement fails with it
  try {
    await client.connect().catch((cause: Error) => {
      throw new Failure('unavailable', unreachable, { cause })
    })
    return await work(client).catch(withAdvice)
  } finally {
    await client.end().catch(() => {})
  }
}

const insufficientPrivilege = '42501'

function withAdvice(cause: Error & { readonly code?: string }): never {
  if (cause.code !== insufficientPrivilege) throw cause
  throw new Failure('unavailable', 'The role in ICOSA_SQL_URL lacks privileges: it needs CREATEDB and CREATEROLE.', {
    cause,
  })
}
