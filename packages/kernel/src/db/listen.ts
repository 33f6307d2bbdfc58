import pg from 'pg'

export interface Listener {
  close(): Promise<void>
}

export interface ListenOptions {
  readonly url: string
  /** What to do when a channel is notified. Called once for every channel after a reconnection, too. */
  readonly channels: Readonly<Record<string, (payload: string | undefined) => void>>
  readonly onError: (error: Error) => void
}

const reconnectMs = 1_000

/** One connection that listens. A notification is only a hint: whoever uses it must also look from time to time. */
export async function listen({ url, channels, onError }: ListenOptions): Promise<Listener> {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, application_name: 'icosa listener', keepAlive: true })
    client = fresh
    fresh.on('error', onError)
    fresh.on('end', retry)
    fresh.on('notification', ({ channel, payload }) => channels[channel]?.(payload))
    await fresh.connect()
    for (const channel of Object.keys(channels)) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  function retry(): void {
    if (closed) return
    timer = setTimeout(() => {
      connect().then(
        () => {
          for (const wake of Object.values(channels)) wake(undefined)
        },
        (error: Error) => {
          onError(error)
          retry()
        },
      )
    }, reconnectMs)
  }

  await connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
