import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connector } from './connector.ts'

/** What to do when a channel is notified. Called once for every channel after a reconnection, too. */
export type Channels = Readonly<Record<string, (payload: string | undefined) => void>>

export interface Listener {
  close(): void
}

/** A pooler hands the session of a listener on to others, and its notifications are lost. */
export class DirectConnectionNeeded extends Error {
  override readonly name = 'DirectConnectionNeeded'
  constructor() {
    super('A connection pooler such as PgBouncer cannot pass notifications on.')
  }
}

/** One connection that listens. A notification is only a hint: whoever uses it must also look from time to time. */
export async function listen(
  connector: Connector,
  channels: Channels,
  onError: (error: Error) => void,
): Promise<Listener> {
  const closing = new AbortController()
  const { signal } = closing
  let drop = () => {}
  signal.onabort = () => drop()

  /** Connects and answers how to wait for the end of the connection. */
  async function connect(): Promise<{ readonly gone: Promise<void> }> {
    const client = new connector.Client({ application_name: 'icosa listener' })
    drop = () => client.drop()
    const gone = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('notification', ({ channel, payload }) => channels[channel]?.(payload))
    try {
      await client.connect()
      if (client.isPooled) throw new DirectConnectionNeeded()
      for (const channel of Object.keys(channels)) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      drop()
      throw error
    }
    return { gone }
  }

  /** The only place that connects again, one attempt after the other. */
  async function stay(first: Promise<void>): Promise<void> {
    let gone = first
    for (let failures = 0; !signal.aborted; ) {
      await gone
      await sleep(connector.backOffMs(failures++), undefined, { signal, ref: false })
      await connector.whenThere()
      signal.throwIfAborted()
      const connected = await connect().catch(onError)
      if (!connected) continue
      failures = 0
      gone = connected.gone
      for (const wake of Object.values(channels)) wake(undefined)
    }
  }

  const { gone } = await connect()
  void stay(gone).catch(() => {}) // only closing ends it
  return { close: () => closing.abort() }
}
