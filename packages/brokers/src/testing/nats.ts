import { connect, type Socket } from 'node:net'

export interface NatsMessage {
  readonly headers: string
  readonly payload: string
}

const how = 'Start one with `nats-server --jetstream --store_dir /tmp/nats` (Debian: apt install nats-server).'

/** A minimal subscriber of a real broker. */
export async function natsClient(url: string) {
  const { hostname, port } = new URL(url)
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect({ host: hostname, port: Number(port) }, () => resolve(connecting))
    connecting.once('error', () => reject(new Error(`These tests need a NATS server at ${url}. ${how}`)))
  })
  const received = new Map<string, NatsMessage[]>()
  const flushes: (() => void)[] = []
  let rest = Buffer.alloc(0)

  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const [verb, , id = '', ...sizes] = rest.subarray(0, end).toString().split(' ')
      if (verb === 'PONG') flushes.shift()?.()
      if (verb !== 'MSG' && verb !== 'HMSG') {
        rest = rest.subarray(end + 2)
        continue
      }
      const total = Number(sizes.at(-1))
      if (rest.length < end + 2 + total + 2) return
      const content = rest.subarray(end + 2, end + 2 + total)
      const headers = verb === 'HMSG' ? Number(sizes.at(-2)) : 0
      const message = {
        headers: content.subarray(0, headers).toString(),
        payload: content.subarray(headers).toString(),
      }
      received.set(id, [...(received.get(id) ?? []), message])
      rest = rest.subarray(end + 2 + total + 2)
    }
  })
  socket.write('CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\n')
  let subscriptions = 0
  const flush = () =>
    new Promise<void>((resolve) => {
      flushes.push(resolve)
      socket.write('PING\r\n')
    })

  return {
    flush,
    /** Returns the messages received on a subject from now on. */
    async subscribe(subject: string): Promise<() => readonly NatsMessage[]> {
      const id = String(++subscriptions)
      socket.write(`SUB ${subject} ${id}\r\n`)
      await flush()
      return () => received.get(id) ?? []
    },
    /** Calls the broker's API. */
    async ask(subject: string, body: object = {}): Promise<Record<string, unknown>> {
      const text = JSON.stringify(body)
      const replies = await this.subscribe(`_INBOX.ask${subscriptions + 1}`)
      socket.write(`PUB ${subject} _INBOX.ask${subscriptions} ${Buffer.byteLength(text)}\r\n${text}\r\n`)
      for (let attempts = 0; replies().length === 0 && attempts < 250; attempts++) await flush()
      return JSON.parse(replies()[0]?.payload ?? '{}')
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
