import { Socket } from 'node:net'
import pg from 'pg'
import { semaphore } from '../../sharing/semaphore.ts'
import { unguarded } from '../transaction-guard.ts'
import { addressesOf, placeOf } from './addresses.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable, ofDatabase, unreachable } from './unavailable.ts'

/**
 * A circuit breaker around all connections of a node to its PostgreSQL. Closed, connections are made, a few at a time. When
 * one breaks or fails, it is half open: a single probe asks the server, and new connections wait for its result. Open,
 * connections are refused immediately and the probe is repeated with jitter, so a server that is down sees at most one
 * attempt a second from each node, whatever the load. If the URL names several hosts, the probe finds the primary.
 */
export interface CircuitBreaker {
  /** The class of the pool's and the listener's connections. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => Connection
  isOpen(): boolean
  /** The error for callers while the circuit is open; its cause is the last connection error. */
  outage(): DatabaseUnavailable
  /** Probes the server. Returns whether it answered. */
  check(): Promise<boolean>
  /** Resolves when the circuit is closed, or the breaker is shut down. */
  whenClosed(): Promise<void>
  /** Exponential backoff with jitter. */
  backOffMs(failures: number): number
  /** Breaks all connections for good. */
  shutDown(): void
}

export interface Connection extends pg.Client {
  /** Whether a pooler such as PgBouncer is in between: the next transaction may then run in another session. */
  readonly isPooled: boolean
  /** Closes it immediately, also while connecting or in use. */
  drop(): void
}

export const isPooled = (client: pg.ClientBase) => (client as Connection).isPooled

export interface CircuitBreakerOptions {
  readonly url: string
  readonly limits: DatabaseLimits
  readonly onError: (error: Error) => void
}

export function circuitBreaker({ url, limits, onError }: CircuitBreakerOptions): CircuitBreaker {
  const addresses = addressesOf(url)
  const clients = new Set<Tracked>()
  const inTurn = semaphore(limits.attempts)
  let state: 'closed' | 'halfOpen' | 'open' | 'shutDown' = 'closed'
  let current = addresses[0]
  let probing: Promise<void> = Promise.resolve()
  let closing = Promise.withResolvers<void>()
  let failures = 0
  let lastError: Error | undefined
  let probeTimer: NodeJS.Timeout | undefined
  let silenceTimer: NodeJS.Timeout | undefined

  class Tracked extends pg.Client implements Connection {
    protected dropped = false
    isPooled = false
    readonly socket: Socket
    address: string | undefined
    #bytesRead: number | undefined

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ connectionTimeoutMillis: limits.connectMs, ...config, ...lasting(addresses[0]), stream: () => socket })
      this.socket = socket
      clients.add(this)
      socket.once('close', () => clients.delete(this))
      // A connection that breaks must not end the process, whether it is idle or in use.
      this.on('error', (error) => {
        if (state === 'shutDown' || this.dropped || this.address !== current) return
        onError(ofDatabase(error))
        halfOpen()
      })
    }

    /** Sets the host, which is known only once the probe has found the primary. */
    protected reach(address: string): void {
      this.address = address
      if (addresses.length > 1) Object.assign(this, placeOf(address))
    }

    drop(): void {
      this.dropped = true
      this.socket.destroy()
    }

    /** True if it awaits a reply, and nothing has arrived since the previous call. */
    isSilent(): boolean {
      const before = this.#bytesRead
      this.#bytesRead = internals(this).readyForQuery ? undefined : this.socket.bytesRead
      return this.#bytesRead !== undefined && this.#bytesRead === before
    }
  }

  class Probe extends Tracked {
    constructor(address: string) {
      super({ connectionTimeoutMillis: limits.probeMs, query_timeout: limits.probeMs })
      this.reach(address)
    }
  }

  class Client extends Tracked {
    override connect(): Promise<pg.Client>
    override connect(done: (error: Error) => void): void
    override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connecting = inTurn(async () => {
        await admitted()
        if (this.dropped) throw new Error('Connection terminated')
        this.reach(current)
        await unguarded(() => super.connect())
        this.isPooled = await hasOtherSession(this)
        return this
      }).catch((error: Error) => {
        if (state === 'closed' && !this.dropped) trip(error, performance.now())
        this.drop()
        throw ofDatabase(error)
      })
      if (!done) return connecting
      connecting.then(() => done(noError), done)
      return undefined
    }
  }

  async function admitted(): Promise<void> {
    if (state === 'halfOpen') await probing
    if (state === 'open') throw outage()
    if (state === 'shutDown') throw new Error('The database was closed.')
  }

  const outage = () => Object.assign(new DatabaseUnavailable(unreachable), { cause: lastError })

  function halfOpen(): void {
    if (state !== 'closed') return
    state = 'halfOpen'
    probing = probe()
  }

  /** Asks all hosts concurrently: a silent one must not delay the discovery of its successor. */
  async function probe(): Promise<void> {
    const began = performance.now()
    try {
      const primary = await Promise.any(addresses.map(primaryAt))
      if (state !== 'shutDown') close(primary)
    } catch (error) {
      const [first] = (error as AggregateError).errors
      if (state !== 'shutDown') trip(first as Error, began)
    }
  }

  /** Returns the address if a primary answers there. */
  async function primaryAt(address: string): Promise<string> {
    const client = new Probe(address)
    try {
      await unguarded(() => client.connect())
      // A query in any case: a pooler accepts connections even while PostgreSQL is down.
      const { rows } = await client.query<{ isReplica: boolean }>('select pg_is_in_recovery() as "isReplica"')
      if (addresses.length > 1 && rows[0]?.isReplica)
        throw Object.assign(new Error('The server is a replica.'), { code: '57P03' })
      void client.end()
      return address
    } catch (error) {
      client.drop()
      throw error
    }
  }

  function close(address: string): void {
    current = address
    for (const client of clients)
      if (client.address !== undefined && client.address !== address) client.socket.destroy()
    state = 'closed'
    failures = 0
    closing.resolve()
    closing = Promise.withResolvers()
  }

  function trip(error: Error, triedAt: number): void {
    state = 'open'
    lastError = error
    onError(ofDatabase(error))
    if (isSilence(error)) silenceTimer ??= setTimeout(dropSilentSince(), limits.silenceMs).unref()
    const pauseMs = triedAt + backOffMs(failures++) - performance.now() // negative if the probe took longer
    probeTimer = setTimeout(
      () => {
        probing = probe()
      },
      Math.max(0, pauseMs),
    ).unref()
  }

  /**
   * Returns a function that drops the connections on which nothing has arrived since now. Statements sent to a server that
   * went silent would otherwise wait for TCP's retransmissions, a quarter of an hour, even after a failover.
   */
  function dropSilentSince(): () => void {
    const before = [...clients].map(({ socket }) => ({ socket, bytes: socket.bytesRead }))
    return () => {
      silenceTimer = undefined
      for (const { socket, bytes } of before) if (socket.bytesRead === bytes) socket.destroy()
    }
  }

  /**
   * Drops connections that await the reply to a statement the server never received: a packet lost for good on one
   * connection would otherwise block its caller as long. Sessions behind a pooler are the pooler's concern.
   */
  async function dropForgotten(): Promise<void> {
    const silent = [...clients].filter((client) => client.isSilent() && !client.isPooled)
    if (silent.length === 0 || state !== 'closed') return
    const before = silent.map((client) => ({
      client,
      pid: internals(client).processID,
      bytes: client.socket.bytesRead,
    }))
    const probe = new Probe(current)
    try {
      await unguarded(() => probe.connect())
      const { rows } = await probe.query<{ pid: number }>(
        "select pid from pg_stat_activity where pid = any($1) and state <> 'idle'",
        [before.map(({ pid }) => pid)],
      )
      const active = new Set(rows.map(({ pid }) => pid))
      for (const { client, pid, bytes } of before)
        if (!active.has(pid) && client.socket.bytesRead === bytes) client.socket.destroy()
      void probe.end()
    } catch {
      probe.drop()
      halfOpen()
    }
  }

  function backOffMs(after: number): number {
    return Math.min(limits.minPauseMs * 2 ** after, limits.maxPauseMs) * (1 + Math.random() / 4)
  }

  if (addresses.length > 1) halfOpen() // the first one may be a replica
  const silenceCheck = setInterval(() => void dropForgotten(), limits.silenceMs).unref()

  return {
    Client,
    isOpen: () => state === 'open',
    outage,
    async check() {
      halfOpen()
      await probing
      return state === 'closed'
    },
    async whenClosed() {
      if (state === 'halfOpen' || state === 'open') await closing.promise
    },
    backOffMs,
    shutDown() {
      state = 'shutDown'
      clearTimeout(probeTimer)
      clearTimeout(silenceTimer)
      clearInterval(silenceCheck)
      closing.resolve()
      for (const { socket } of clients) socket.destroy()
    },
  }
}

/** Fields of pg's client that its types do not declare. */
const internals = (client: pg.Client) =>
  client as unknown as { readonly processID: number; readonly readyForQuery: boolean }

/** Detects a pooler: the process ID it announced differs from that of the session. */
async function hasOtherSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== internals(client).processID
}

/** pg calls back with null on success, although its types say Error. */
const noError = null as unknown as Error

const lasting = (url: string) => ({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })

/** True if the server neither accepted nor refused. */
const isSilence = ({ code, message }: Error & { code?: string }) =>
  message === 'timeout expired' || message === 'Query read timeout' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH'
