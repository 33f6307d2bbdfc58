import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** The way to a database, which can be cut and mended. */
export interface Line extends AsyncDisposable {
  readonly url: string
  cut(): Promise<void>
  mend(): Promise<void>
}

export async function lineTo(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((socket) => {
      const onward = connect(Number(target.port || 5432), target.hostname)
      for (const [one, end] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        sockets.add(one)
        one.on('error', () => {}).on('close', () => end.destroy())
      }
      socket.pipe(onward).pipe(socket)
    })
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  }
  let server: Server | undefined = await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = async () => {
    server?.close()
    server = undefined
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    cut,
    async mend() {
      server = await listen(port)
    },
    [Symbol.asyncDispose]: cut,
  }
}
