import { connect, type GetMessage } from 'amqplib'

export const rabbit = 'amqp://guest:guest@127.0.0.1:5672'
const how = 'Start one with `rabbitmq-server -detached` as root (Debian: apt install rabbitmq-server).'

export interface AmqpMessage {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly deliveryMode: number
  readonly messageId: string
  readonly body: string
}

/** A consumer of a real RabbitMQ. Its declarations are deleted when it closes. */
export async function amqpClient(url = rabbit) {
  const client = await connect(url).catch((cause: Error) => {
    throw new Error(`These tests need a RabbitMQ at ${url}. ${how}`, { cause })
  })
  const channel = await client.createChannel()
  const exchanges: string[] = []
  return {
    async queue(name: string, options: Readonly<Record<string, unknown>> = {}): Promise<void> {
      await channel.assertQueue(name, { exclusive: true, durable: false, arguments: options })
    },
    async exchange(name: string, type = 'fanout'): Promise<void> {
      await channel.assertExchange(name, type, { durable: false })
      exchanges.push(name)
    },
    async deleteExchange(name: string): Promise<void> {
      await channel.deleteExchange(name)
    },
    async bind(queue: string, exchange: string): Promise<void> {
      await channel.bindQueue(queue, exchange, '')
    },
    /** Takes all messages in a queue. */
    async take(queue: string): Promise<readonly AmqpMessage[]> {
      const messages: AmqpMessage[] = []
      for (;;) {
        const message = await channel.get(queue, { noAck: true })
        if (!message) return messages
        messages.push(received(message))
      }
    },
    async [Symbol.asyncDispose]() {
      for (const name of exchanges) await channel.deleteExchange(name)
      await client.close()
    },
  }
}

function received({ content, properties }: GetMessage): AmqpMessage {
  const { contentType, headers = {}, deliveryMode, messageId } = properties
  return { contentType, headers: headers as Record<string, string>, deliveryMode, messageId, body: content.toString() }
}
