import { randomUUID } from 'node:crypto'
import { amqpClient, fakeBroker, rabbit } from '@icosa/brokers/testing'
import type { TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, callersOf, minuteMs, nightly, start } from '../testing/app.ts'

const none = { retryType: 'None' as const }

const startWith = (broker: string) => start({}, { queue: broker, topic: broker })

/** Creates a collection of a new tenant, since other tests may use the same broker. */
async function setUp(app: TestApp) {
  const tenant = `t-${randomUUID()}`
  const { collections, jobs } = await callersOf(app, tenant)
  await collections.createOrUpdate({ params: nightly, body: {} })
  return {
    subject: (kind: 'queues' | 'topics', name: string) => `scheduler.${tenant}.${kind}.shop.${name}`,
    /** Runs a job immediately, and returns a function that reads its history. */
    async send(action: object) {
      const params = at(`job-${randomUUID()}`)
      await jobs.createOrUpdate({ params, body: { properties: { action } } })
      await app.jobs.drain()
      return async () => {
        const { body } = await jobs.listJobHistory({ params })
        return body.value.map(({ properties: { status, message } }) => ({ status, message }))
      }
    },
  }
}

const toQueue = (queueName: string, message: string, retryPolicy: object = none) => ({
  type: 'StorageQueue',
  queueMessage: { storageAccount: 'shop', queueName, message },
  retryPolicy,
})

const toTopic = (topicPath: string, more: object = {}) => ({
  type: 'ServiceBusTopic',
  serviceBusTopicMessage: { namespace: 'shop', topicPath, message: '{"order":1}', ...more },
  retryPolicy: none,
})

test('a queue action sends one message, with its body and execution id', async () => {
  await using app = await startWith(rabbit)
  await using consumer = await amqpClient()
  const { subject, send } = await setUp(app)
  const queue = subject('queues', 'orders')
  await consumer.queue(queue)
  const history = await send(toQueue('orders', 'grüße'))
  const messages = await consumer.take(queue)
  expect(messages).toMatchObject([{ body: 'grüße', contentType: 'text/plain', deliveryMode: 2 }])
  expect(messages[0]?.messageId).toMatch(/^[\da-f-]{36}-\d{8}T\d{9}Z$/)
  expect(messages[0]?.headers['Icosa-Execution-Id']).toBe(messages[0]?.messageId)
  expect(await history()).toEqual([{ status: 'Completed', message: `The broker accepted the message on ${queue}.` }])
})

test('messages longer than a frame and empty ones arrive complete', async () => {
  await using app = await startWith(rabbit)
  await using consumer = await amqpClient()
  const { subject, send } = await setUp(app)
  const [long, empty] = ['€'.repeat(65_536), ''] // 192 KiB; a frame has 128
  await consumer.queue(subject('queues', 'orders'))
  await send(toQueue('orders', long))
  await send(toQueue('orders', empty))
  const bodies = (await consumer.take(subject('queues', 'orders'))).map(({ body }) => body)
  expect(bodies.map((body) => body.length)).toEqual([long.length, 0])
  expect(bodies[0] === long).toBe(true)
})

test('a topic action reaches a queue bound to the exchange, with its properties', async () => {
  await using app = await startWith(rabbit)
  await using consumer = await amqpClient()
  const { subject, send } = await setUp(app)
  const [queue, exchange] = [`q-${randomUUID()}`, subject('topics', 'events.orders')]
  await consumer.queue(queue)
  await consumer.exchange(exchange)
  await consumer.bind(queue, exchange)
  const brokeredMessageProperties = { label: 'Bücher', timeToLive: 'PT1H' }
  const history = await send(
    toTopic('events/orders', { brokeredMessageProperties, customMessageProperties: { colour: 'türkis' } }),
  )
  expect(await history()).toMatchObject([{ status: 'Completed' }])
  expect(await consumer.take(queue)).toMatchObject([
    {
      body: '{"order":1}',
      headers: { colour: 'türkis', BrokerProperties: '{"label":"B\\u00fccher","timeToLive":"PT1H"}' },
    },
  ])
})

test('the history names a missing queue, exchange or virtual host', async () => {
  await using app = await startWith(rabbit)
  const { subject, send } = await setUp(app)
  const queue = subject('queues', 'nowhere')
  const noQueue = `The broker at 127.0.0.1:5672 has no queue ${queue} (NO_ROUTE): declare it, so that messages are kept.`
  const queued = await send(toQueue('nowhere', 'lost'))
  expect(await queued()).toEqual([{ status: 'Failed', message: noQueue }])

  const missing = `NOT_FOUND - no exchange '${subject('topics', 'nowhere')}' in vhost '/'. Declare it there.`
  const posted = await send(toTopic('nowhere'))
  expect(await posted()).toEqual([{ status: 'Failed', message: `The broker at 127.0.0.1:5672 refused: ${missing}` }])

  await using other = await startWith(`${rabbit}/no%2Fhost`)
  const elsewhere = await (await setUp(other)).send(toQueue('nowhere', 'lost'))
  expect(await elsewhere()).toMatchObject([
    { status: 'Failed', message: expect.stringContaining("there is no virtual host 'no/host' for this user") },
  ])
})

test('a name too long for AMQP fails with a message', async () => {
  await using app = await startWith(rabbit)
  const { send } = await setUp(app)
  const history = await send(toTopic('t'.repeat(250)))
  expect(await history()).toMatchObject([
    { status: 'Failed', message: expect.stringContaining('AMQP names are limited to 255 bytes') },
  ])
})

test('a message refused by a full queue fails', async () => {
  await using app = await startWith(rabbit)
  await using consumer = await amqpClient()
  const { subject, send } = await setUp(app)
  await consumer.queue(subject('queues', 'tiny'), { 'x-max-length': 1, 'x-overflow': 'reject-publish' })
  const first = await send(toQueue('tiny', 'first'))
  const second = await send(toQueue('tiny', 'second'))
  expect(await first()).toMatchObject([{ status: 'Completed' }])
  expect(await second()).toMatchObject([
    { status: 'Failed', message: expect.stringContaining('its storage may be full') },
  ])
})

test("a wrong password fails with the broker's message, and is not shown", async () => {
  await using app = await startWith('amqp://guest:wr0ng@127.0.0.1:5672')
  const { send } = await setUp(app)
  const history = await send(toQueue('orders', 'lost'))
  const [row] = await history()
  expect(row).toMatchObject({ status: 'Failed', message: expect.stringContaining('refused: ACCESS_REFUSED') })
  expect(row?.message).toContain('Check user, password')
  expect(row?.message).not.toContain('wr0ng')
})

test('a broker that closes the connection midway is retried according to the policy', async () => {
  await using broker = await fakeBroker((socket) => socket.once('data', () => socket.end('\x01\x00\x00')))
  await using app = await startWith(`amqp://${broker.host}`)
  const { send } = await setUp(app)
  const history = await send(toQueue('orders', 'lost', { retryType: 'Fixed', retryInterval: 'PT1M', retryCount: 2 }))
  expect(broker.connections()).toBe(1)
  for (const count of [2, 3, 3]) {
    await app.clock.advance(minuteMs)
    await app.jobs.drain()
    expect(broker.connections()).toBe(count)
  }
  const message = `The broker at ${broker.host} closed the connection before it had accepted the message.`
  expect(await history()).toEqual([1, 2, 3].map(() => ({ status: 'Failed', message })))
})

test('a server with another protocol or version is reported', async () => {
  const address = 'check the address of the broker'
  for (const answer of ['HTTP/1.1 400 Bad Request\r\n\r\n', 'AMQP\x00\x01\x00\x00']) {
    await using broker = await fakeBroker((socket) => socket.once('data', () => socket.end(answer)))
    await using app = await startWith(`amqp://${broker.host}`)
    const { send } = await setUp(app)
    const history = await send(toQueue('orders', 'lost'))
    expect(await history()).toMatchObject([{ status: 'Failed', message: expect.stringContaining(address) }])
  }
})
