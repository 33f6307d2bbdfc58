import { once } from 'node:events'
import { connect as connectSocket, createServer, type Socket } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** Cuts every connection when so many messages have gone through from now on. */
  cutAfter(messages: number): void
  /** Lets everything through again. Answers whether there was a cut. */
  heal(): boolean
}

/** Stands between a worker and the SQL host, and goes away in the middle of their talk. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY

  const listener = createServer((inbound) => {
    const outbound = connectSocket(Number(port || 5432), hostname)
    for (const [one, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    outbound.pipe(inbound)
    inbound.on('data', (message) => {
      outbound.write(message)
      left--
      if (left <= 0) for (const socket of sockets) socket.destroy()
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
      left = messages
    },
    heal() {
      const wasCut = left <= 0
      left = Number.POSITIVE_INFINITY
      return wasCut
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
