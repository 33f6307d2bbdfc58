import { Socket } from 'node:net'
import pg from 'pg'
import { fifoGate } from '../../sharing/fifo-gate.ts'
import { unguarded } from '../transaction-guard.ts'
import { addressesOf, placeOf } from './addresses.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable, ofDatabase, unreachable } from './unavailable.ts'

/**
 * Makes all connections of a node to its PostgreSQL, a few at a time. When one breaks or cannot be made, a single
 * probe asks whether the server is still there: whoever wants to connect waits for the answer or, once the server is
 * known to be away, is refused at once. So a server that is away hears of each node once a second at most, however much
 * is asked of the node meanwhile. Where the address names several hosts, the probe finds the one that takes writes.
 */
export interface Connector {
  /** The connections of the pool and of the listener. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => Connection
  isAway(): boolean
  /** What to refuse callers with while the server is away; its cause is the last error of a connection. */
  outage(): DatabaseUnavailable
  /** Has the probe look whether the server is there. Answers what it found. */
  check(): Promise<boolean>
  /** Settles when the server is there, as far as we know, or when the connector is closed. */
  whenThere(): Promise<void>
  /** How long to wait after so many failures: longer each time, and not in step with the other nodes. */
  backOffMs(failures: number): number
  /** Breaks all connections; none are made any more. */
  close(): void
}

export interface Connection extends pg.Client {
  /** Whether a pooler such as PgBouncer is in between: the next transaction may then run in another session. */
  readonly isPooled: boolean
  /** Ends it at once, at any moment: while it is being made, or used. */
  drop(): void
}

export const isPooled = (client: pg.ClientBase) => (client as Connection).isPooled

export interface ConnectorOptions {
  readonly url: string
  readonly limits: DatabaseLimits
  readonly onError: (error: Error) => void
}

export function openConnector({ url, limits, onError }: ConnectorOptions): Connector {
  const addresses = addressesOf(url)
  const clients = new Set<Tracked>()
  const inTurn = fifoGate(limits.attempts)
  let state: 'there' | 'doubted' | 'away' | 'closed' = 'there'
  let current = addresses[0]
  let probing: Promise<void> = Promise.resolve()
  let back = Promise.withResolvers<void>()
  let failures = 0
  let lost: Error | undefined
  let timer: NodeJS.Timeout | undefined
  let listening: NodeJS.Timeout | undefined

  class Tracked extends pg.Client implements Connection {
    protected dropped = false
    isPooled = false
    readonly socket: Socket
    address: string | undefined
    #heard: number | undefined

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ connectionTimeoutMillis: limits.connectMs, ...config, ...lasting(addresses[0]), stream: () => socket })
      this.socket = socket
      clients.add(this)
      socket.once('close', () => clients.delete(this))
      // A connection that breaks must not end the process, whether it is idle or in use.
      this.on('error', (error) => {
        if (state === 'closed' || this.dropped || this.address !== current) return
        onError(ofDatabase(error))
        doubt()
      })
    }

    /** Which of the hosts it is may be known only now. */
    protected reach(address: string): void {
      this.address = address
      if (addresses.length > 1) Object.assign(this, placeOf(address))
    }

    drop(): void {
      this.dropped = true
      this.socket.destroy()
    }

    /** Whether it waits for an answer, and has heard nothing since it was asked this the time before. */
    isSilent(): boolean {
      const before = this.#heard
      this.#heard = internals(this).readyForQuery ? undefined : this.socket.bytesRead
      return this.#heard !== undefined && this.#heard === before
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
        if (state === 'there' && !this.dropped) lose(error, performance.now())
        this.drop()
        throw ofDatabase(error)
      })
      if (!done) return connecting
      connecting.then(() => done(noError), done)
      return undefined
    }
  }

  async function admitted(): Promise<void> {
    if (state === 'doubted') await probing
    if (state === 'away') throw outage()
    if (state === 'closed') throw new Error('The database was closed.')
  }

  const outage = () => Object.assign(new DatabaseUnavailable(unreachable), { cause: lost })

  function doubt(): void {
    if (state !== 'there') return
    state = 'doubted'
    probing = probe()
  }

  /** All at once: one that is silent must not keep us from the one that has taken its place. */
  async function probe(): Promise<void> {
    const began = performance.now()
    try {
      const found = await Promise.any(addresses.map(answering))
      if (state !== 'closed') find(found)
    } catch (error) {
      const [first] = (error as AggregateError).errors
      if (state !== 'closed') lose(first as Error, began)
    }
  }

  async function answering(address: string): Promise<string> {
    const client = new Probe(address)
    try {
      await unguarded(() => client.connect())
      // Asked in any case: a pooler accepts connections also while PostgreSQL is away.
      const { rows } = await client.query<{ copies: boolean }>('select pg_is_in_recovery() as copies')
      if (addresses.length > 1 && rows[0]?.copies)
        throw Object.assign(new Error('The server is a copy.'), { code: '57P03' })
      void client.end()
      return address
    } catch (error) {
      client.drop()
      throw error
    }
  }

  function find(address: string): void {
    current = address
    for (const client of clients)
      if (client.address !== undefined && client.address !== address) client.socket.destroy()
    state = 'there'
    failures = 0
    back.resolve()
    back = Promise.withResolvers()
  }

  function lose(error: Error, triedAt: number): void {
    state = 'away'
    lost = error
    onError(ofDatabase(error))
    if (isSilence(error)) listening ??= setTimeout(dropDead(), limits.silenceMs).unref()
    const pauseMs = triedAt + backOffMs(failures++) - performance.now() // none is left if the probe took longer
    timer = setTimeout(
      () => {
        probing = probe()
      },
      Math.max(0, pauseMs),
    ).unref()
  }

  /**
   * Drops, when it is called, the connections on which nothing has come since now. What was sent to a server that has
   * fallen silent would otherwise wait for a quarter of an hour, also if another one has taken its place: so long TCP hopes.
   */
  function dropDead(): () => void {
    const heard = [...clients].map(({ socket }) => ({ socket, bytes: socket.bytesRead }))
    return () => {
      listening = undefined
      for (const { socket, bytes } of heard) if (socket.bytesRead === bytes) socket.destroy()
    }
  }

  /**
   * Drops connections on which a statement waits that the server knows nothing of: one that was lost on its way, while all
   * others come through, would be waited for as long. A pooler keeps its sessions to itself, and looks after them.
   */
  async function dropForgotten(): Promise<void> {
    const silent = [...clients].filter((client) => client.isSilent() && !client.isPooled)
    if (silent.length === 0 || state !== 'there') return
    const heard = silent.map((client) => ({ client, pid: internals(client).processID, bytes: client.socket.bytesRead }))
    const probe = new Probe(current)
    try {
      await unguarded(() => probe.connect())
      const { rows } = await probe.query<{ pid: number }>(
        "select pid from pg_stat_activity where pid = any($1) and state <> 'idle'",
        [heard.map(({ pid }) => pid)],
      )
      const known = new Set(rows.map(({ pid }) => pid))
      for (const { client, pid, bytes } of heard)
        if (!known.has(pid) && client.socket.bytesRead === bytes) client.socket.destroy()
      void probe.end()
    } catch {
      probe.drop()
      doubt()
    }
  }

  function backOffMs(after: number): number {
    return Math.min(limits.shortestPauseMs * 2 ** after, limits.longestPauseMs) * (1 + Math.random() / 4)
  }

  if (addresses.length > 1) doubt() // the first of them may be a copy
  const looking = setInterval(() => void dropForgotten(), limits.silenceMs).unref()

  return {
    Client,
    isAway: () => state === 'away',
    outage,
    async check() {
      doubt()
      await probing
      return state === 'there'
    },
    async whenThere() {
      if (state === 'doubted' || state === 'away') await back.promise
    },
    backOffMs,
    close() {
      state = 'closed'
      clearTimeout(timer)
      clearTimeout(listening)
      clearInterval(looking)
      back.resolve()
      for (const { socket } of clients) socket.destroy()
    },
  }
}

/** What pg knows of a connection and does not declare. */
const internals = (client: pg.Client) =>
  client as unknown as { readonly processID: number; readonly readyForQuery: boolean }

/** A pooler names a process of its own when a client connects, and PostgreSQL the session's. */
async function hasOtherSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== internals(client).processID
}

/** As pg itself calls back, whatever its types say. */
const noError = null as unknown as Error

const lasting = (url: string) => ({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })

/** Nobody answered at all, neither yes nor no. */
const isSilence = ({ code, message }: Error & { code?: string }) =>
  message === 'timeout expired' || message === 'Query read timeout' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH'
