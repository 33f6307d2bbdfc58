import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `through`: as if it were not there. `refusing`: ends every connection at once. `silent`: takes them and says nothing. */
export type ProxyMode = 'through' | 'refusing' | 'silent'

/** Stands before a database, so that it can be away for one node and its attempts to connect can be counted. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The database's address through the proxy. */
  readonly url: string
  /** When each connection was attempted, by `performance.now()`. */
  readonly attempts: readonly number[]
  /** For new connections; when refusing or silent, for those that there are, too. */
  become(mode: ProxyMode): void
  /** Leads to a server that has come back under another address. */
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
