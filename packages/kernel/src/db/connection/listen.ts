import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** Handlers of notifications by channel; each is also called once after a reconnection. */
export type Channels = Readonly<Record<string, (payload: string | undefined) => void>>

export interface Listener {
  close(): void
}

/** Behind a pooler, notifications reach a session that others use, and are lost. */
export class DirectConnectionNeeded extends Error {
  override readonly name = 'DirectConnectionNeeded'
  constructor() {
    super('A connection pooler such as PgBouncer cannot pass notifications on.')
  }
}

/** Listens on a connection of its own. Notifications may be lost, so callers must also poll. */
export async function listen(
  breaker: CircuitBreaker,
  channels: Channels,
  onError: (error: Error) => void,
): Promise<Listener> {
  const closing = new AbortController()
  const { signal } = closing
  let drop = () => {}
  signal.onabort = () => drop()

  /** Connects. `ended` resolves when the connection ends. */
  async function connect(): Promise<{ readonly ended: Promise<void> }> {
    const client = new breaker.Client({ application_name: 'icosa listener' })
    drop = () => client.drop()
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload))
    try {
      await client.connect()
      if (client.isPooled) throw new DirectConnectionNeeded()
      for (const channel of Object.keys(channels)) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      drop()
      throw error
    }
    return { ended }
  }

  /** Reconnects, one attempt after the other. */
  async function stayConnected(first: Promise<void>): Promise<void> {
    let ended = first
    for (let failures = 0; !signal.aborted; ) {
      await ended
      await sleep(breaker.backOffMs(failures++), undefined, { signal, ref: false })
      await breaker.whenClosed()
      signal.throwIfAborted()
      const connected = await connect().catch(onError)
      if (!connected) continue
      failures = 0
      ended = connected.ended
      for (const wake of Object.values(channels)) wake(undefined)
    }
  }

  const { ended } = await connect()
  void stayConnected(ended).catch(() => {}) // only closing ends it
  return { close: () => closing.abort() }
}
