import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `through`: forwards. `refusing`: closes every connection at once. `silent`: accepts connections and never replies.
 */
export type ProxyMode = 'through' | 'refusing' | 'silent'

/** A proxy in front of a database, to simulate an outage for one node and count its connection attempts. */
export interface DatabaseProxy extends AsyncDisposable {
  /** Address of the database through the proxy. */
  readonly url: string
  /** Times of connection attempts, by `performance.now()`. */
  readonly attempts: readonly number[]
  /** Applies to new connections; `refusing` and `silent` also to existing ones. */
  become(mode: ProxyMode): void
  /** Changes the target to a server that returned under another address. */
  lead(databaseUrl: string): void
}

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl)
  const attempts: number[] = []
  const sockets = new Set<Socket>()
  let mode: ProxyMode = 'through'

  function track(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
  }

  const server = createServer((incoming) => {
    attempts.push(performance.now())
    track(incoming)
    if (mode === 'refusing') incoming.destroy()
    if (mode !== 'through') return
    const outgoing = track(connect(Number(target.port || 5432), target.hostname))
    incoming.pipe(outgoing).once('close', () => incoming.destroy())
    outgoing.pipe(incoming).once('close', () => outgoing.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    attempts,
    become(next) {
      mode = next
      if (mode === 'refusing') for (const socket of sockets) socket.destroy()
      if (mode === 'silent') for (const socket of sockets) socket.unpipe().pause()
    },
    lead(url) {
      target = new URL(url)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}
