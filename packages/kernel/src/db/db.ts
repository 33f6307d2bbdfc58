import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type FairnessKey, INTERNAL } from '../sharing/fair-quota.ts'
import { assertCommitted } from './commit.ts'
import { circuitBreaker, isPooled } from './connection/circuit-breaker.ts'
import { type FairPool, fairPool } from './connection/fair-pool.ts'
import { type DatabaseLimits, databaseLimits } from './connection/limits.ts'
import { type Channels, type Listener, listen } from './connection/listen.ts'
import { type Fence, GateGone, openFence, type WriterOf } from './fence/fence.ts'
import { type ReserveName, reservingNames } from './reservation.ts'
import { type PointRead, pointReads } from './statement/point-reads.ts'
import { isReading } from './statement/reading.ts'
import { anyOf, oneOf, type Send } from './statement/send.ts'
import { prepared, type Statement } from './statement/statement.ts'
import { guardTransaction } from './transaction-guard.ts'

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag'
export { varying } from './statement/statement.ts'

/** Read-only handle: rejects statements that do anything but read. */
export interface ReadingDb {
  many<Row>(statement: Sql): Promise<Row[]>
  /** Returns the first row, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>
  /** Point read by primary key. Outside a transaction, concurrent reads with the same text share one statement. */
  point<Row>(statement: Sql): Promise<Row | undefined>
  /** Returns the first row; throws if there is none. */
  one<Row>(statement: Sql): Promise<Row>
}

/** Statements against PostgreSQL. In a writing handler this is the open transaction; it has no other handle. */
export interface Db extends ReadingDb {
  /** Returns the number of affected rows. */
  run(statement: Sql): Promise<number>
  /** Runs one or several statements without parameters. Returns the rows of the last. */
  script(text: string): Promise<unknown[]>
}

/** The database with the connection share of one tenant, anonymous address, or internal work. */
export interface SharedDatabase extends Db {
  /** A read-only handle. */
  readonly reading: ReadingDb
  /**
   * Commits when `work` resolves, rolls back when it rejects. Retries after a deadlock or serialization failure. Name the
   * tenant whose rows it writes: it then excludes a move of the tenant to another cell.
   */
  transaction<T>(work: (db: Db) => Promise<T>, writerOf?: WriterOf): Promise<T>
}

export interface Database extends SharedDatabase {
  /** A handle whose statements count against the key's share of connections, and queue only behind their own. */
  of(fairnessKey: string): SharedDatabase
  /** Which tenants live here. */
  readonly fence: Fence
  /** Listens on a connection of its own, and reconnects. */
  listen(channels: Channels): Promise<Listener>
  /** Resolves within a few seconds. */
  isReachable(): Promise<boolean>
  /** Open connections, and callers that wait for one. */
  load(): { readonly open: number; readonly waiting: number }
  /** Replaces idle connections. Call it when a short statement gets no reply: the idle ones may be dead as well. */
  dropIdle(): void
  /** Closes gracefully, waiting up to `closeMs` for active queries. */
  close(): Promise<void>
  /** Closes immediately; active queries fail. */
  abandon(): void
}

export interface DatabaseOptions {
  /** May point to a pooler in transaction mode: no statement outside a transaction relies on its session. */
  readonly url: string
  /** PostgreSQL itself, for the listening connection. Defaults to `url`. */
  readonly directUrl?: string | undefined
  readonly maxConnections: number
  readonly onError: (error: Error) => void
  readonly limits?: Partial<DatabaseLimits>
  /** Reserves names in the directory of cells, on a handle of this database. */
  readonly reserveName?: ((database: Database) => ReserveName) | undefined
  /** For tests: fails transactions that act outside the database. */
  readonly checkTransactions?: boolean | undefined
}

export function openDatabase({ url, maxConnections, onError, ...options }: DatabaseOptions): Database {
  const limits = { ...databaseLimits, ...options.limits }
  const breaker = circuitBreaker({ url, limits, onError })
  const { directUrl = url } = options
  const direct = directUrl === url ? breaker : circuitBreaker({ url: directUrl, limits, onError })
  const pool = new pg.Pool({
    max: maxConnections,
    application_name: 'icosa',
    idleTimeoutMillis: 0, // no timer, which would be set and cleared around every statement
    Client: breaker.Client,
    // Statements of requests are short: JIT compilation takes longer than running them. Behind a pooler, where a
    // setting would leak to other clients of the session, it belongs to the role.
    onConnect: (client) => (isPooled(client) ? undefined : client.query('set jit = off')),
  })
  pool.on('error', () => {}) // the connection has already reported it
  const connections = fairPool(pool, breaker, limits)
  const handles = new Map<string, SharedDatabase>()
  const send = anyOf(connections, INTERNAL)
  const fence = openFence(statements(send))
  const later = (ms: number) => sleep(ms, undefined, { ref: false })
  let reserve: ReserveName | undefined

  const open = (key: FairnessKey): SharedDatabase => {
    const send = anyOf(connections, key)
    const point = pointReads(send)
    return {
      ...statements(send),
      point,
      reading: readingStatements(send, point),
      transaction(work, writerOf) {
        const guarded = options.checkTransactions ? guardTransaction(work) : work
        const once = (begin: string) => transaction(connections, key, begin, guarded)
        const first = reserve
        const run = first ? (begin: string) => reservingNames(first, () => once(begin)) : once
        return writerOf === undefined ? run('begin') : fence.run(writerOf, run)
      },
    }
  }

  const database: Database = {
    ...open(INTERNAL),
    fence,
    of(fairnessKey) {
      let handle = handles.get(fairnessKey)
      if (!handle) {
        if (handles.size >= maxHandles) handles.clear()
        handle = open(fairnessKey)
        handles.set(fairnessKey, handle)
      }
      return handle
    },
    listen: (channels) => listen(direct, channels, onError),
    async isReachable() {
      const answered = send({ text: 'select 1', values: [] }).then(() => true, breaker.check)
      return (await Promise.race([answered, later(limits.probeMs)])) ?? breaker.check()
    },
    load: () => ({ open: pool.totalCount, waiting: connections.waiting }),
    dropIdle() {
      for (let left = pool.idleCount; left > 0; left--) pool.connect((_error, _client, release) => release(true))
    },
    async close() {
      connections.close()
      await nextTurn() // the pool drops waiters to which it was about to hand a connection
      await Promise.race([pool.end(), later(limits.closeMs)])
      breaker.shutDown()
      direct.shutDown()
    },
    abandon() {
      connections.close()
      breaker.shutDown()
      direct.shutDown()
    },
  }
  reserve = options.reserveName?.(database)
  return database
}

function statements(send: Send): Db {
  // Not `async`: every promise on the path of every request counts.
  const run = <T>(statement: Sql, pick: (result: pg.QueryResult) => T) => send(prepared(statement)).then(pick)
  const maybe = <Row>(statement: Sql) => run(statement, ({ rows }) => rows[0] as Row | undefined)
  return {
    many: <Row>(statement: Sql) => run(statement, ({ rows }) => rows as Row[]),
    maybe,
    point: maybe,
    one: <Row>(statement: Sql) =>
      run(statement, ({ rows }) => {
        if (rows.length === 0) throw new Error(`no row from: ${statement.text}`)
        return rows[0] as Row
      }),
    run: (statement) => run(statement, ({ rowCount }) => rowCount ?? 0),
    async script(text) {
      const results = [await send({ text, values: [] })].flat() // several statements return an array
      return results.at(-1)?.rows ?? []
    },
  }
}

function readingStatements(send: Send, pointRead: PointRead): ReadingDb {
  const { many, maybe, one } = statements((statement) => (readsOnly(statement) ? send(statement) : refusal(statement)))
  return {
    many,
    maybe,
    one,
    point(source) {
      const statement = prepared(source)
      return readsOnly(statement) ? pointRead(source, statement) : refusal(statement)
    },
  }
}

const refusal = ({ text }: Pick<Statement, 'text'>) =>
  Promise.reject(new Error(`This handle only reads. Write in a transaction: ${text}`))

/** Names of statements already found to be reads. */
const knownReads = new Set<string>()

function readsOnly({ name, text }: Statement): boolean {
  if (name === undefined) return isReading(text)
  if (knownReads.has(name)) return true
  const reads = isReading(text)
  if (reads) knownReads.add(name)
  return reads
}

/** Handles are cached, so that requests allocate none. */
const maxHandles = 10_000

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const maxAttempts = 4

type Work<T> = (db: Db) => Promise<T>

async function transaction<T>(connections: FairPool, key: FairnessKey, begin: string, work: Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(connections, key, begin, work)
    } catch (error) {
      const code = (error as { code?: string }).code
      const clash = code === serializationFailure || code === deadlockDetected
      if (!clash || attempt === maxAttempts) throw error
    }
  }
}

interface Acquired {
  readonly client: pg.PoolClient
  readonly release: (broken: boolean) => void
}

async function once<T>({ acquire }: FairPool, key: FairnessKey, begin: string, work: Work<T>): Promise<T> {
  const { client, release } = await new Promise<Acquired>((resolve, reject) => {
    acquire(key, (unconnected, client, release) => (client ? resolve({ client, release }) : reject(unconnected)))
  })
  let firstError: Error | undefined
  const send = oneOf(client, (error) => {
    firstError ??= error
  })
  let broken = false
  let open = true
  // Prevents late use of the handle from writing into another transaction.
  const guarded: Send = async (statement) => {
    if (!open) throw new Error('This transaction has ended: await every statement inside it.')
    return send(statement)
  }
  try {
    await send({ text: begin, values: [] }).catch(asGateGone)
    const result = await work(statements(guarded))
    open = false
    assertCommitted(await send(commit), firstError)
    return result
  } catch (error) {
    open = false
    await send(rollback).catch(() => {
      broken = true
    })
    throw error
  } finally {
    release(broken)
  }
}

const undefinedTable = '42P01'

function asGateGone(error: Error & { code?: string }): never {
  throw error.code === undefinedTable ? new GateGone() : error
}

const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }
