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

/** Works as the administrator, alone with these databases: whoever else wants one of them waits. */
type Alone = <T>(names: readonly string[], work: (admin: Session) => Promise<T>) => Promise<T>

/** The PostgreSQL on which the databases of our callers are. */
export interface SqlHost {
  /** Where callers reach it. */
  readonly address: Address
  /** How a role signs in to the database that has its name. */
  url(name: string, password: string): string
  /** The same for a program of the machine, from where the workers reach it. Its environment has the password. */
  signIn(name: string, password: string): SignIn
  /** For what a caller asked for. The locks end with the connection, so a worker that was killed leaves none behind. */
  readonly alone: Alone
  /** For what is looked after from time to time: in places of its own, and every statement gives up soon. */
  readonly briefly: Alone
  /** The administrator inside one of the databases. */
  inside<T>(name: string, work: (admin: Session) => Promise<T>): Promise<T>
  /** The role of a database inside it. */
  as<T>(name: string, password: string, work: (role: Session) => Promise<T>): Promise<T>
}

/** How many connections of ours a node has to the SQL host, most of them for callers. */
const places = 4
const supervisingPlaces = 2

/** A worker that hangs, or a lock that nobody gives back, must not stop everything else. */
const patience = '-c lock_timeout=60000 -c idle_session_timeout=300000'
const littlePatience = '-c lock_timeout=5000 -c statement_timeout=30000 -c idle_session_timeout=60000'
/** What callers made in their databases is never found by a name of ours. */
const ownNames = '-c search_path=pg_catalog'

export function openSqlHost({ adminUrl, address }: SqlSettings): () => SqlHost {
  const host = adminUrl === undefined ? undefined : sqlHostAt(adminUrl, address)
  return () => {
    if (host) return host
    throw new Failure('unavailable', 'No SQL host is configured: ask the operator to set ICOSA_SQL_URL.')
  }
}

function sqlHostAt(adminUrl: string, address: string | undefined): SqlHost {
  const admin = new URL(adminUrl)
  const reached = new URL(`postgres://${address ?? admin.host}`)
  const watched = watchForBlockers((pids) =>
    connected(adminUrl, littlePatience, (session) => endBlockersOf(session, pids)),
  )

  function url(name: string, password: string): string {
    const own = new URL(`postgres://${reached.host}/${name}`)
    own.username = name
    own.password = password
    const sslmode = admin.searchParams.get('sslmode')
    if (sslmode) own.searchParams.set('sslmode', sslmode)
    return own.href
  }

  const administered = <T>(at: string, options: string, work: (session: Session) => Promise<T>) =>
    connected(at, options, async (session) => watched(await ownPid(session), () => work(session)))

  function aloneIn(atOnce: number, options: string): Alone {
    const inTurn = semaphore(atOnce)
    return (names, work) =>
      inTurn(() =>
        administered(adminUrl, options, async (session) => {
          await store.lock(session, names)
          return work(session)
        }),
      )
  }

  return {
    address: { host: reached.hostname, port: Number(reached.port || 5432) },
    url,
    signIn(name, password) {
      const own = Object.assign(new URL(adminUrl), { pathname: `/${name}`, username: name, password: '' })
      return { url: own.href, env: { PGPASSWORD: password, PGCONNECT_TIMEOUT: '10' } }
    },
    alone: aloneIn(places, patience),
    briefly: aloneIn(supervisingPlaces, littlePatience),
    inside: (name, work) =>
      administered(Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href, patience, work),
    as(name, password, work) {
      const own = Object.assign(new URL(adminUrl), { pathname: `/${name}`, username: name, password })
      return connected(own.href, patience, work)
    },
  }
}

async function connected<T>(url: string, options: string, work: (session: Session) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'icosa',
    connectionTimeoutMillis: 10_000,
    options: `${options} ${ownNames}`,
  })
  client.on('error', () => {}) // the statement that runs, or the next one, fails with it
  try {
    await client.connect().catch((cause: Error) => {
      throw new Failure('unavailable', 'The SQL host could not be reached: ask the operator to check ICOSA_SQL_URL.', {
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
  throw new Failure('unavailable', 'The role in ICOSA_SQL_URL lacks privileges: it needs CREATEDB and CREATEROLE.', {
    cause,
  })
}
