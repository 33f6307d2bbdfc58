import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server that treats connections as a test requires, and counts them. */
export async function fakeBroker(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}) // the client may hang up first
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // never null for a listening server
  return {
    host: `127.0.0.1:${port}`,
    connections: () => sockets.length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
