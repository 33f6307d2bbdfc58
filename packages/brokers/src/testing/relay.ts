import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a real broker, counts who connects, and can be slow, hold everything back, or break the connection. */
export async function startRelay(broker: string, delayMs = 0) {
  const { hostname, port } = new URL(broker)
  const sockets = new Set<Socket>()
  const sent: Buffer[] = []
  let connections = 0
  let isDown = false
  let release: Promise<void> = Promise.resolve()
  let open = () => {}

  /** Chunks keep their order, however long each is held. */
  function pass(from: Socket, to: Socket): void {
    let last: Promise<unknown> = Promise.resolve()
    from.on('data', (chunk) => {
      const due = Promise.all([last, release, new Promise((resolve) => setTimeout(resolve, delayMs))])
      last = due.then(() => to.writable && to.write(chunk))
    })
    from.on('error', () => {}).on('close', () => to.destroy())
  }

  const server = createServer((client) => {
    connections++
    if (isDown) return client.destroy()
    const inner = connect(Number(port), hostname)
    for (const socket of [client, inner]) sockets.add(socket.on('close', () => sockets.delete(socket)))
    client.on('data', (chunk) => sent.push(chunk))
    pass(client, inner)
    pass(inner, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = new URL(broker)
  own.port = String((server.address() as AddressInfo).port) // a server on a port has one
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: own.href.replace(/\/$/, ''),
    connections: () => connections,
    /** What was sent to the broker, whether it was passed on or not. */
    sent: () => Buffer.concat(sent).toString('latin1'),
    /** Nothing goes through until `resume`. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      release = promise
      open = resolve
    },
    resume: () => open(),
    /** Breaks all connections; new ones are refused until `up`. */
    down: () => {
      isDown = true
      breakAll()
    },
    up: () => {
      isDown = false
    },
    async [Symbol.asyncDispose]() {
      open()
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
