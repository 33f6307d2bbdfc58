import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { openBrokers } from '../brokers.ts'
import type { Message } from '../message.ts'
import { amqpClient, rabbit } from '../testing/amqp.ts'
import { selfSigned } from '../testing/certificate.ts'

const patient = { signal: new AbortController().signal, timeoutMs: 30_000 }

const messageFor = (subject: string, more: Partial<Message> = {}): Message => ({
  kind: 'queue',
  subject,
  id: 'one',
  headers: {},
  payload: 'hello',
  ...more,
})

test('over amqps: only a broker with a certificate that Node trusts gets the message', async () => {
  await using consumer = await amqpClient()
  await using brokers = openBrokers()
  const queue = `q-${randomUUID()}`
  await consumer.queue(queue)
  const { pem, certificate } = selfSigned()
  const { hostname, port } = new URL(rabbit)
  const server = createServer({ key: pem, cert: pem }, (socket) => {
    const inner = connect(Number(port), hostname)
    socket.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => socket.destroy())
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const secure = `amqps://127.0.0.1:${(server.address() as AddressInfo).port}` // never null for a listening server
  try {
    const publish = () => brokers.publish(secure, messageFor(queue), patient)
    await expect(publish()).rejects.toThrow(/over TLS \(self-signed certificate/)
    setDefaultCACertificates([...getCACertificates(), certificate])
    await publish()
    await brokers[Symbol.asyncDispose]()
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  expect(await consumer.take(queue)).toMatchObject([{ body: 'hello', messageId: 'one' }])
})

test('unroutable messages fail alone, even if others have the same id', async () => {
  await using consumer = await amqpClient()
  await using brokers = openBrokers()
  const queue = `q-${randomUUID()}`
  await consumer.queue(queue)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      brokers.publish(rabbit, messageFor(index % 3 === 0 ? queue : `${queue}-missing`), patient),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(
    outcomes.map((_, index) => (index % 3 === 0 ? 'fulfilled' : 'rejected')),
  )
  expect(await consumer.take(queue)).toHaveLength(20)
})

test('messages to a deleted exchange fail until it is declared again', async () => {
  await using consumer = await amqpClient()
  await using brokers = openBrokers()
  const [exchange, queue] = [`x-${randomUUID()}`, `q-${randomUUID()}`]
  const declare = async () => {
    await consumer.exchange(exchange)
    await consumer.queue(queue)
    await consumer.bind(queue, exchange)
  }
  const post = () => brokers.publish(rabbit, messageFor(exchange, { kind: 'topic' }), patient)
  await declare()
  await post()
  await consumer.deleteExchange(exchange)
  await expect(post()).rejects.toThrow(`refused: NOT_FOUND - no exchange '${exchange}' in vhost '/'. Declare it there.`)
  await brokers.publish(rabbit, messageFor(queue, { id: 'beside' }), patient)
  await declare()
  await post()
  expect((await consumer.take(queue)).map(({ messageId }) => messageId)).toEqual(['one', 'beside', 'one'])
})

test('properties too long for AMQP fail without breaking the connection', async () => {
  await using consumer = await amqpClient()
  await using brokers = openBrokers()
  const queue = `q-${randomUUID()}`
  await consumer.queue(queue)
  const headers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`h${index}`, 'x'.repeat(4_096)]))
  await expect(brokers.publish(rabbit, messageFor(queue, { headers }), patient)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('too long'),
  })
  const payload = 'grüße'.repeat(100_000)
  await brokers.publish(rabbit, messageFor(queue, { payload, headers: { colour: 'türkis' } }), patient)
  expect(await consumer.take(queue)).toMatchObject([{ body: payload, headers: { colour: 'türkis' }, deliveryMode: 2 }])
})
