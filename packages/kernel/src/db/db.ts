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

type Queryable = pg.Pool | pg.PoolClient

export function openDatabase({ url, maxConnections, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'icosa',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  pool.on('error', onError) // an idle connection that breaks must not end the process

  return {
    ...statements(pool),
    transaction: (work) => transaction(pool, work),
    load: () => ({ open: pool.totalCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

function statements(connection: Queryable): Db {
  const rows = async <Row>(statement: Sql) => (await connection.query(prepared(statement))).rows as Row[]
  return {
    many: rows,
    maybe: async <Row>(statement: Sql) => (await rows<Row>(statement))[0],
    async one<Row>(statement: Sql) {
      const [row] = await rows<Row>(statement)
      if (row === undefined) throw new Error(`no row from: ${statement.text}`)
      return row
    },
    run: async (statement) => (await connection.query(prepared(statement))).rowCount ?? 0,
    async script(text) {
      const results = [await connection.query(text)].flat() // an array where there are several statements
      return results.at(-1)?.rows ?? []
    },
  }
}

// A statement's name is a hash of its text: the same on every node, so a connection pooler can share it.
const names = new Map<string, string>()
const namesLimit = 5_000

function prepared({ text, values }: Sql): pg.QueryConfig {
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
  let broken: Error | undefined
  let open = true
  // A handler that keeps the handle past its end would write into somebody else's transaction.
  const guarded = statements({
    query: (query: pg.QueryConfig | string) => {
      if (!open) throw new Error('This transaction is over: await every statement inside it.')
      return client.query(query as pg.QueryConfig)
    },
  } as pg.PoolClient)
  try {
    await client.query('begin')
    const result = await work(guarded)
    open = false
    await client.query('commit')
    return result
  } catch (error) {
    open = false
    await client.query('rollback').catch((reason: Error) => {
      broken = reason
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Locks a name until the transaction ends: for work that only one node may do at a time. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
