import { connect } from 'node:net'
import { channel, openConnection } from '../amqp/connection.ts'
import { octet, readerOf, short, shortText, type Table, table } from '../amqp/fields.ts'
import { methodFrame } from '../amqp/methods.ts'

export const rabbit = 'amqp://guest:guest@127.0.0.1:5672'
const how = 'Start one with `rabbitmq-server -detached` as root (Debian: apt install rabbitmq-server).'

/** What a consumer does beyond publishing. */
const queueDeclare = 50 * 65_536 + 10
const queueDeclareOk = queueDeclare + 1
const queueBind = 50 * 65_536 + 20
const queueBindOk = queueBind + 1
const exchangeDeclare = 40 * 65_536 + 10
const exchangeDeclareOk = exchangeDeclare + 1
const exchangeDelete = 40 * 65_536 + 20
const exchangeDeleteOk = exchangeDelete + 1
const basicGet = 60 * 65_536 + 70
const basicGetOk = basicGet + 1
const basicGetEmpty = basicGet + 2

export interface TakenMessage {
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly deliveryMode: number
  readonly messageId: string
  readonly body: string
}

/** A consumer of a real RabbitMQ. What it declares goes when it does. */
export async function amqpClient(url = rabbit) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const connection = await openConnection(socket, new URL(url)).catch((cause: Error) => {
    throw new Error(`These tests need a RabbitMQ at ${url}. ${how}`, { cause })
  })
  const { send, hear, next } = connection
  const exchanges: string[] = []

  const content = async (): Promise<TakenMessage> => {
    const { payload: header } = await next()
    const size = Number(header.readBigUInt64BE(4))
    const parts: Buffer[] = []
    for (let got = 0; got < size; got += parts.at(-1)?.length ?? 0) parts.push((await next()).payload)
    return { ...propertiesOf(header.subarray(14)), body: Buffer.concat(parts).toString() }
  }

  return {
    async queue(name: string, options: Table = {}): Promise<void> {
      const exclusive = octet(4)
      send(methodFrame(channel, queueDeclare, short(0), shortText(name), exclusive, table(options)))
      await hear(queueDeclareOk)
    },
    async exchange(name: string, type = 'fanout'): Promise<void> {
      send(methodFrame(channel, exchangeDeclare, short(0), shortText(name), shortText(type), octet(0), table({})))
      await hear(exchangeDeclareOk)
      exchanges.push(name)
    },
    async bind(queue: string, exchange: string): Promise<void> {
      const fields = [shortText(queue), shortText(exchange), shortText(''), octet(0), table({})]
      send(methodFrame(channel, queueBind, short(0), ...fields))
      await hear(queueBindOk)
    },
    /** All that is in a queue by now. */
    async take(queue: string): Promise<readonly TakenMessage[]> {
      const taken: TakenMessage[] = []
      for (;;) {
        const withoutAck = octet(1)
        send(methodFrame(channel, basicGet, short(0), shortText(queue), withoutAck))
        const { id } = await hear(basicGetOk, basicGetEmpty)
        if (id === basicGetEmpty) return taken
        taken.push(await content())
      }
    },
    async [Symbol.asyncDispose]() {
      for (const name of exchanges) {
        send(methodFrame(channel, exchangeDelete, short(0), shortText(name), octet(0)))
        await hear(exchangeDeleteOk)
      }
      await connection.close()
      socket.destroy()
    },
  }
}

/** Those that we send; a message with others has come from somebody else. */
function propertiesOf(properties: Buffer): Omit<TakenMessage, 'body'> {
  const fields = readerOf(properties)
  return {
    contentType: fields.shortText(),
    headers: textsOf(fields.table()),
    deliveryMode: fields.octet(),
    messageId: fields.shortText(),
  }
}

function textsOf(bytes: Buffer): Record<string, string> {
  const fields = readerOf(bytes)
  const texts: Record<string, string> = {}
  while (!fields.isAtEnd()) {
    const name = fields.shortText()
    if (fields.octet() !== 'S'.charCodeAt(0)) throw new Error(`The header ${name} is not a text.`)
    texts[name] = fields.longText()
  }
  return texts
}
