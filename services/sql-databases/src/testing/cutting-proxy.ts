import { once } from 'node:events'
import { connect as connectSocket, createServer, type Socket } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** Cuts every connection after this number of messages. */
  cutAfter(messages: number): void
  /** Stops cutting. Returns whether there was a cut. */
  heal(): boolean
}

/** A proxy between a worker and the SQL host that cuts their connections. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let remaining = Number.POSITIVE_INFINITY

  const listener = createServer((inbound) => {
    const outbound = connectSocket(Number(port || 5432), hostname)
    for (const [socket, peer] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => peer.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        peer.destroy()
      })
    }
    outbound.pipe(inbound)
    inbound.on('data', (message) => {
      outbound.write(message)
      remaining--
      if (remaining <= 0) for (const socket of sockets) socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')

  return {
    url: url.href,
    cutAfter(messages) {
      remaining = messages
    },
    heal() {
      const wasCut = remaining <= 0
      remaining = Number.POSITIVE_INFINITY
      return wasCut
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
