import { createHash } from 'node:crypto'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag'

/** Statements against PostgreSQL. In a writing handler this is the open transaction; no other handle is in reach. */
export interface Db {
  many<Row>(statement: Sql): Promise<Row[]>
  /** The first row, if there is one. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>
  /** The first row of a statement that always has one. */
  one<Row>(statement: Sql): Promise<Row>
  /** How many rows the statement touched. */
  run(statement: Sql): Promise<number>
  /** One or several statements in one text, without values. Answers the rows of the last. */
  script(text: string): Promise<unknown[]>
}

export interface Database extends Db {
  /** Commits when `work` resolves, rolls back when it rejects. Runs it again after a deadlock. */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** How many connections are open, and how many callers wait for one. */
  load(): { readonly open: number; readonly waiting: number }
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  readonly maxConnections: number
  readonly onError: (error: Error) => void
}

/** How a statement reaches the server: through any free connection, or through the one of a transaction. */
type Send = (statement: Statement) => Promise<pg.QueryResult>

interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
}

export function openDatabase({ url, maxConnections, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'icosa',
    keepAlive: true,
    idleTimeoutMillis: 0, // connections stay: a timer would be set and cleared around every statement
    Client: ImpatientClient,
    // Statements of requests are short: to compile one takes longer than to run it.
    onConnect: (client) => client.query('set jit = off'),
  })
  // A connection that breaks must not end the process, whether it is idle or in use.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))

  return {
    ...statements(anyOf(pool)),
    transaction: (work) => transaction(pool, work),
    load: () => ({ open: pool.totalCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/** Gives up on a server that does not answer. As an option of the pool this would set a timer for every statement. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 10_000 })
  }
}

function statements(send: Send): Db {
  // Without `async`: every hop through a promise counts on the path of every request.
  const run = <T>(statement: Sql, pick: (result: pg.QueryResult) => T) => send(prepared(statement)).then(pick)
  return {
    many: <Row>(statement: Sql) => run(statement, ({ rows }) => rows as Row[]),
    maybe: <Row>(statement: Sql) => run(statement, ({ rows }) => rows[0] as Row | undefined),
    one: <Row>(statement: Sql) =>
      run(statement, ({ rows }) => {
        if (rows.length === 0) throw new Error(`no row from: ${statement.text}`)
        return rows[0] as Row
      }),
    run: (statement) => run(statement, ({ rowCount }) => rowCount ?? 0),
    async script(text) {
      const results = [await send({ text, values: [] })].flat() // an array where there are several statements
      return results.at(-1)?.rows ?? []
    },
  }
}

function anyOf(pool: pg.Pool): Send {
  return (statement) =>
    new Promise((resolve, reject) => {
      pool.connect((unconnected, client, release) => {
        if (!client) return reject(unconnected)
        submit(client, statement, (error, result) => {
          release(isBroken(error))
          if (error) reject(error)
          else resolve(result)
        })
      })
    })
}

function oneOf(client: pg.PoolClient): Send {
  return (statement) =>
    new Promise((resolve, reject) => {
      submit(client, statement, (error, result) => (error ? reject(error) : resolve(result)))
    })
}

type Done = (error: Error | null | undefined, result: pg.QueryResult) => void

/** As a query object: a configuration object would be copied property by property, which costs microseconds. */
function submit(client: pg.PoolClient, { text, values, name }: Statement, done: Done): void {
  const query = new pg.Query(text, values.length > 0 ? values : undefined, (error, result) => {
    // An error comes out of the socket: only the statement tells where it belongs. Values stay out of logs.
    done(error && Object.assign(error, { statement: text }), result)
  })
  client.query(name === undefined ? query : Object.assign(query, { name }))
}

/** An error that the server reports leaves the connection as it was; any other ends it. */
const isBroken = (error: Error | null | undefined) => error instanceof Error && !('severity' in error)

// A statement's name is a hash of its text: the same on every node, so a connection pooler can share it.
const names = new Map<string, string>()
const namesLimit = 5_000

const varyingStatements = new WeakSet<Sql>()

/** A statement whose text depends on what a caller sent, such as a filter: the server is not asked to remember it. */
export function varying(statement: Sql): Sql {
  varyingStatements.add(statement)
  return statement
}

function prepared(statement: Sql): Statement {
  const { text, values } = statement
  if (varyingStatements.has(statement)) return { text, values }
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= namesLimit) return { text, values } // texts made on the fly must not fill the server
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    names.set(text, name)
  }
  return { name, text, values }
}

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const attemptsLimit = 4

async function transaction<T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, work)
    } catch (error) {
      const code = (error as { code?: string }).code
      const clash = code === serializationFailure || code === deadlockDetected
      if (!clash || attempt === attemptsLimit) throw error
    }
  }
}

async function once<T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const send = oneOf(client)
  let broken = false
  let open = true
  // A handler that keeps the handle past its end would write into somebody else's transaction.
  const guarded: Send = async (statement) => {
    if (!open) throw new Error('This transaction is over: await every statement inside it.')
    return send(statement)
  }
  try {
    await send(begin)
    const result = await work(statements(guarded))
    open = false
    await send(commit)
    return result
  } catch (error) {
    open = false
    await send(rollback).catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const begin: Statement = { text: 'begin', values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

/** Locks a name until the transaction ends: for work that only one node may do at a time. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
