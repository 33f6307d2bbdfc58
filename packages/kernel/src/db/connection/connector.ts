import { Socket } from 'node:net'
import pg from 'pg'
import { fifoGate } from '../../sharing/fifo-gate.ts'
import { unguarded } from '../transaction-guard.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable, ofDatabase, unreachable } from './unavailable.ts'

/**
 * Makes all connections of a node to its PostgreSQL, a few at a time. When one breaks or cannot be made, a single
 * probe asks whether the server is still there: whoever wants to connect waits for the answer or, once the server is
 * known to be away, is refused at once. So a server that is away hears of each node once a second at most, however much
 * is asked of the node meanwhile.
 */
export interface Connector {
  /** The connections of the pool and of the listener. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => Connection
  isAway(): boolean
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
  /** Ends it at once, at any moment: while it is being made, or used. */
  drop(): void
}

export interface ConnectorOptions {
  readonly url: string
  readonly limits: DatabaseLimits
  readonly onError: (error: Error) => void
}

export function openConnector({ url, limits, onError }: ConnectorOptions): Connector {
  const sockets = new Set<Socket>()
  const inTurn = fifoGate(limits.attempts)
  let state: 'there' | 'doubted' | 'away' | 'closed' = 'there'
  let probing: Promise<void> = Promise.resolve()
  let back = Promise.withResolvers<void>()
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let listening: NodeJS.Timeout | undefined

  class Tracked extends pg.Client implements Connection {
    protected dropped = false
    readonly #socket: Socket

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ connectionTimeoutMillis: limits.connectMs, ...config, ...lasting(url), stream: () => socket })
      this.#socket = socket
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // A connection that breaks must not end the process, whether it is idle or in use.
      this.on('error', (error) => {
        if (state === 'closed') return
        onError(ofDatabase(error))
        doubt()
      })
    }

    drop(): void {
      this.dropped = true
      this.#socket.destroy()
    }
  }

  class Client extends Tracked {
    override connect(): Promise<pg.Client>
    override connect(done: (error: Error) => void): void
    override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connecting = inTurn(async () => {
        await admitted()
        if (this.dropped) throw new Error('Connection terminated')
        return unguarded(() => super.connect())
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
    if (state === 'away') throw new DatabaseUnavailable(unreachable)
    if (state === 'closed') throw new Error('The database was closed.')
  }

  function doubt(): void {
    if (state !== 'there') return
    state = 'doubted'
    probing = probe()
  }

  async function probe(): Promise<void> {
    const began = performance.now()
    const client = new Tracked({ connectionTimeoutMillis: limits.probeMs })
    try {
      await unguarded(() => client.connect())
      void client.end()
      if (state !== 'closed') find()
    } catch (error) {
      client.drop()
      if (state !== 'closed') lose(error as Error, began)
    }
  }

  function find(): void {
    state = 'there'
    failures = 0
    back.resolve()
    back = Promise.withResolvers()
  }

  function lose(error: Error, triedAt: number): void {
    state = 'away'
    onError(ofDatabase(error))
    if (isSilence(error)) listening ??= setTimeout(dropDead(), limits.silenceMs).unref()
    timer = setTimeout(
      () => {
        probing = probe()
      },
      triedAt + backOffMs(failures++) - performance.now(),
    ).unref()
  }

  /**
   * Drops, when it is called, the connections on which nothing has come since now. What was sent to a server that has
   * fallen silent would otherwise wait for a quarter of an hour, also if another one has taken its place: so long TCP hopes.
   */
  function dropDead(): () => void {
    const heard = [...sockets].map((socket) => ({ socket, bytes: socket.bytesRead }))
    return () => {
      listening = undefined
      for (const { socket, bytes } of heard) if (socket.bytesRead === bytes) socket.destroy()
    }
  }

  function backOffMs(after: number): number {
    return Math.min(limits.shortestPauseMs * 2 ** after, limits.longestPauseMs) * (1 + Math.random() / 4)
  }

  return {
    Client,
    isAway: () => state === 'away',
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
      back.resolve()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** As pg itself calls back, whatever its types say. */
const noError = null as unknown as Error

const lasting = (url: string) => ({ connectionString: url, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })

/** Nobody answered at all, neither yes nor no. */
const isSilence = ({ code, message }: Error & { code?: string }) =>
  message === 'timeout expired' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH'
