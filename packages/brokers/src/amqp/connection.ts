import { Failure } from '@icosa/kernel'
import { type ChannelModel, connect } from 'amqplib'
import { hostnameOf } from '../address.ts'
import { type Connection, connectMs, heartbeatSeconds } from '../connection.ts'
import type { Message } from '../message.ts'
import { type Channel, openChannel } from './channel.ts'
import { exchangeCache } from './exchanges.ts'
import { explained } from './explained.ts'

export async function connectTo(url: URL): Promise<Connection> {
  const address = {
    protocol: url.protocol.slice(0, -1),
    hostname: hostnameOf(url),
    ...(url.port && { port: Number(url.port) }),
    ...(url.username && { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
    vhost: url.pathname.slice(1),
    heartbeat: heartbeatSeconds,
  }
  const client = await connect(address, { noDelay: true, timeout: connectMs }).catch((error: Error) => {
    throw explained(error, url)
  })
  return publisher(client, url)
}

function publisher(client: ChannelModel, url: URL): Connection {
  client.on('error', () => {}) // reported to callers waiting for a confirmation
  const closed = new Promise<void>((resolve) => client.on('close', () => resolve()))
  const exchanges = exchangeCache(client)
  // Separate, since an invalid exchange closes its channel. The default exchange, for queues, always exists.
  const channels = new Map<Message['kind'], Promise<Channel>>()

  function channelFor(kind: Message['kind']): Promise<Channel> {
    const existing = channels.get(kind)
    if (existing) return existing
    const channel = openChannel(client, url)
    const forget = () => {
      channels.delete(kind)
      exchanges.forget()
    }
    channel.then(({ closed }) => closed).then(forget, forget)
    channels.set(kind, channel)
    return channel
  }

  return {
    async publish(message, signal) {
      checkNames(message)
      try {
        if (message.kind === 'topic') await exchanges.check(message.subject)
        const channel = await channelFor(message.kind)
        if (!signal.aborted) await channel.publish(message)
      } catch (error) {
        throw error instanceof Failure ? error : explained(error as Error, url)
      }
    },
    closed,
    close: () => client.close(),
  }
}

/** The client would truncate them. */
function checkNames({ subject, id, headers }: Message): void {
  for (const name of [subject, id, ...Object.keys(headers)]) {
    const bytes = Buffer.byteLength(name)
    if (bytes > 255)
      throw new Failure('invalid', `AMQP names are limited to 255 bytes, but ${name} has ${bytes}: use shorter names.`)
  }
}
