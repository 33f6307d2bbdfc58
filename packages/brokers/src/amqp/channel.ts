import { Failure } from '@icosa/kernel'
import type { ChannelModel, ConfirmChannel } from 'amqplib'
import type { Message } from '../message.ts'

/** Channel in confirm mode. */
export interface Channel {
  publish(message: Message): Promise<void>
  readonly closed: Promise<void>
}

/** An unroutable message. The broker returns it, then confirms it. */
interface Returned {
  readonly queue: string
  readonly id: string
  readonly why: string
}

export async function openChannel(client: ChannelModel, { host }: URL): Promise<Channel> {
  const channel = await client.createConfirmChannel()
  const returned: Returned[] = []
  let closing: Error | undefined
  channel.on('error', (error) => (closing = error))
  channel.on('return', ({ fields, properties }) =>
    returned.push({
      queue: fields.routingKey,
      id: String(properties.messageId),
      why: 'replyText' in fields ? String(fields.replyText) : 'unroutable',
    }),
  )

  function confirmed({ subject, id }: Message, error: Error | null): void {
    const index = returned.findIndex((message) => message.queue === subject && message.id === id)
    const [unroutable] = index < 0 ? [] : returned.splice(index, 1)
    if (unroutable) throw noQueue(host, unroutable)
    if (error?.message === 'message nacked') throw notStored(host, subject)
    if (error) throw closing ?? error
  }

  return {
    closed: new Promise((resolve) => channel.on('close', () => resolve())),
    publish: (message) =>
      new Promise((resolve, reject) =>
        write(channel, message, (error) => {
          Promise.try(confirmed, message, error).then(resolve, reject)
        }),
      ),
  }
}

/** The default exchange routes by queue name. Mandatory: without that queue the message is returned. */
function write(
  channel: ConfirmChannel,
  { kind, subject, id, headers, payload }: Message,
  done: (error: Error | null) => void,
): void {
  const [exchange, key] = kind === 'queue' ? ['', subject] : [subject, '']
  const options = {
    contentType: 'text/plain',
    headers,
    persistent: true,
    messageId: id,
    mandatory: kind === 'queue',
  }
  try {
    channel.publish(exchange, key, Buffer.from(payload), options, done)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Failure('invalid', 'The properties of the message are too long for AMQP: send fewer.', { cause })
  }
}

function noQueue(host: string, { queue, why }: Returned): Failure {
  const problem = `The broker at ${host} has no queue ${queue} (${why})`
  return new Failure('unavailable', `${problem}: declare it, so that messages are kept.`)
}

function notStored(host: string, subject: string): Failure {
  return new Failure(
    'unavailable',
    `The broker at ${host} did not store the message for ${subject}: its storage may be full.`,
  )
}
