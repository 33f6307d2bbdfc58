import { Failure } from '@icosa/kernel'
import { converseWith } from '../broker.ts'
import type { Message, PublishOptions } from '../message.ts'
import { type Connection, channel, openConnection } from './connection.ts'
import { longLong, octet, short, shortText, table } from './fields.ts'
import { encodeFrame, frameOverhead, frameTypes } from './frames.ts'
import { basicClass, methodFrame, methods } from './methods.ts'

/**
 * Publishes one message and resolves when the broker has confirmed it: to the queue of its name, or to the exchange of
 * its name where it is for a topic. Neither is made here.
 */
export async function publish(broker: string, message: Message, options: PublishOptions): Promise<void> {
  await converseWith(broker, options, async (socket, url) => {
    const connection = await openConnection(socket, url)
    try {
      await hand(connection, message)
    } finally {
      await connection.close()
    }
  })
}

async function hand(connection: Connection, message: Message): Promise<void> {
  const { host, send, hear } = connection
  send(methodFrame(channel, methods.confirmSelect, octet(0)))
  await hear(methods.confirmSelectOk)
  if (message.kind === 'topic') await checkExchange(connection, message.subject)
  send(...publication(message, connection.frameMax))
  const answer = await hear(methods.basicAck, methods.basicNack, methods.basicReturn)
  if (answer.id === methods.basicNack)
    throw new Failure(
      'unavailable',
      `The broker at ${host} did not keep the message for ${message.subject}: is it full?`,
    )
  if (answer.id === methods.basicReturn) {
    answer.fields.short() // the code: its text says the same
    const why = answer.fields.shortText()
    await hear(methods.basicAck, methods.basicNack) // of a message that it gave back
    throw new Failure(
      'unavailable',
      `The broker at ${host} has no queue ${message.subject} (${why}): declare it, so that messages are kept.`,
    )
  }
}

/** Passively: whether it is there. A broker closes the channel where it is not, and says so. */
async function checkExchange({ send, hear }: Connection, name: string): Promise<void> {
  const passive = octet(1)
  const fields = [short(0), shortText(name), shortText('topic'), passive, table({})]
  send(methodFrame(channel, methods.exchangeDeclare, ...fields))
  await hear(methods.exchangeDeclareOk)
}

/** Which properties come: content type, headers, delivery mode and message id, in this order. */
const propertyFlags = 0b1011_0000_1000_0000
const persistent = 2

/** The method, the header of the content, and the content in as many frames as it takes. */
function publication({ kind, subject, id, headers, payload }: Message, frameMax: number): Buffer[] {
  const isQueue = kind === 'queue'
  // By the default exchange a routing key is a queue's name. Mandatory: without that queue the message comes back.
  const place = isQueue ? [shortText(''), shortText(subject)] : [shortText(subject), shortText('')]
  const body = Buffer.from(payload)
  const properties = [shortText('text/plain'), table(headers), octet(persistent), shortText(id)]
  const header = Buffer.concat([
    ...[short(basicClass), short(0), longLong(body.length), short(propertyFlags)],
    ...properties,
  ])
  const room = frameMax - frameOverhead
  if (header.length > room)
    throw new Failure('invalid', `The properties of the message are too long: the broker takes ${room} bytes of them.`)
  const parts = Array.from({ length: Math.ceil(body.length / room) }, (_, part) =>
    body.subarray(part * room, (part + 1) * room),
  )
  return [
    methodFrame(channel, methods.basicPublish, short(0), ...place, octet(isQueue ? 1 : 0)),
    encodeFrame({ type: frameTypes.header, channel, payload: header }),
    ...parts.map((part) => encodeFrame({ type: frameTypes.body, channel, payload: part })),
  ]
}
