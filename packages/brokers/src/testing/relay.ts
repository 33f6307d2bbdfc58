import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy for a real broker that counts connections, and can delay, hold or break them. */
export async function startRelay(broker: string, delayMs = 0) {
  const { hostname, port } = new URL(broker)
  const sockets = new Set<Socket>()
  const sent: Buffer[] = []
  let connections = 0
  let isDown = false
  let release: Promise<void> = Promise.resolve()
  let open = () => {}

  /** Preserves the order of chunks, however long each is delayed. */
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
  const address = new URL(broker)
  address.port = String((server.address() as AddressInfo).port) // never null for a listening server
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: address.href.replace(/\/$/, ''),
    connections: () => connections,
    /** Bytes sent to the broker, whether forwarded or not. */
    sent: () => Buffer.concat(sent).toString('latin1'),
    /** Blocks all traffic until `resume`. */
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
