import { randomUUID } from 'node:crypto'
import { fakeBroker, natsClient } from '@icosa/brokers/testing'
import { startSending } from '@icosa/delivery'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { at, callersOf, minuteMs, nightly, start } from '../testing/app.ts'
import { brokerMessage } from './broker-message.ts'

const none = { retryType: 'None' as const }
const { queue: broker } = defaultSettings

async function setUp(app: Awaited<ReturnType<typeof start>>, tenant: string) {
  const callers = await callersOf(app, tenant)
  await callers.collections.createOrUpdate({ params: nightly, body: {} })
  return callers
}

test('messages of all three kinds reach subscribers, with their properties', async () => {
  await using app = await start()
  using nats = await natsClient(broker)
  const tenant = `t-${randomUUID()}` // others may use the same broker
  const { jobs } = await setUp(app, tenant)
  const queues = await nats.subscribe(`scheduler.${tenant}.queues.>`)
  const topics = await nats.subscribe(`scheduler.${tenant}.topics.shop.events.orders`)
  const put = (name: string, action: object) =>
    jobs.createOrUpdate({ params: at(name), body: { properties: { action } } })
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'grüße' }
  await put('storage', { type: 'StorageQueue', queueMessage, retryPolicy: none })
  const bus = {
    namespace: 'shop',
    message: '{"order":1}',
    customMessageProperties: { colour: 'blue' },
    brokeredMessageProperties: { label: 'Bücher', timeToLive: 'PT1H' },
  }
  await put('bus', {
    type: 'serviceBusQueue',
    serviceBusQueueMessage: { ...bus, queueName: 'orders' },
    retryPolicy: none,
  })
  await put('topic', {
    type: 'ServiceBusTopic',
    serviceBusTopicMessage: { ...bus, topicPath: 'events/orders' },
    retryPolicy: none,
  })
  await app.jobs.drain()
  await nats.flush()
  expect(
    queues()
      .map(({ payload }) => payload)
      .sort(),
  ).toEqual(['grüße', '{"order":1}'])
  expect(topics()).toHaveLength(1)
  const headers = topics()[0]?.headers ?? ''
  expect(headers).toMatch(/^NATS\/1\.0\r\n/)
  expect(headers).toContain('colour: blue\r\n')
  expect(headers).toContain('BrokerProperties: {"label":"B\\u00fccher","timeToLive":"PT1H"}\r\n')
  expect(headers).toMatch(/Icosa-Execution-Id: [\da-f-]{36}-\d{8}T\d{9}Z\r\n/)
  for (const name of ['storage', 'bus', 'topic']) {
    const { body } = await jobs.listJobHistory({ params: at(name) })
    expect(body.value.map(({ properties: { status } }) => status)).toEqual(['Completed'])
  }
})

test('a message without a receiver fails and is retried', async () => {
  await using app = await start()
  using nats = await natsClient(broker)
  const tenant = `t-${randomUUID()}`
  const { jobs } = await setUp(app, tenant)
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'late' }
  const retryPolicy = { retryType: 'Fixed' as const, retryInterval: 'PT1M', retryCount: 1 }
  await jobs.createOrUpdate({
    params: at('early'),
    body: { properties: { action: { type: 'StorageQueue', queueMessage, retryPolicy } } },
  })
  await app.jobs.drain()
  const { body } = await jobs.listJobHistory({ params: at('early') })
  expect(body.value[0]?.properties).toMatchObject({
    status: 'Failed',
    message: expect.stringContaining(`No stream or subscriber receives scheduler.${tenant}.queues.shop.orders`),
  })
  const messages = await nats.subscribe(`scheduler.${tenant}.>`)
  await app.clock.advance(minuteMs)
  await app.jobs.drain()
  await nats.flush()
  expect(messages().map(({ payload }) => payload)).toEqual(['late'])
})

test('a stream stores a message once although it is sent twice', async () => {
  using nats = await natsClient(broker)
  const name = `S${randomUUID().replaceAll('-', '')}`
  const execution = { tenant: name, id: 'job-20260101', expectedAt: new Date(0) }
  const creation = await nats.ask(`$JS.API.STREAM.CREATE.${name}`, { name, subjects: [`scheduler.${name}.>`] })
  expect(creation, 'the broker supports streams: start it with --jetstream').not.toHaveProperty('error')
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'once' }
  const { target, message } = brokerMessage({ type: 'StorageQueue', queueMessage }, execution, defaultSettings)
  const options = { signal: new AbortController().signal, timeoutMs: 20_000 }
  await using app = await start()
  await using stops = new AsyncDisposableStack()
  const { send } = startSending(app.platform, (stop) => stops.defer(async () => void (await stop())))
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await send(target, message, options)).toMatchObject({ result: 'delivered' })
  const { state } = await nats.ask(`$JS.API.STREAM.INFO.${name}`)
  expect(state).toMatchObject({ messages: 1 })
  await nats.ask(`$JS.API.STREAM.DELETE.${name}`)
})

test('the history names an unreachable broker', async () => {
  await using app = await start({}, { queue: 'nats://127.0.0.1:9', topic: broker })
  const { jobs } = await setUp(app, 'acme')
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'lost' }
  await jobs.createOrUpdate({
    params: at('lost'),
    body: { properties: { action: { type: 'StorageQueue', queueMessage, retryPolicy: none } } },
  })
  await app.jobs.drain()
  const { body } = await jobs.listJobHistory({ params: at('lost') })
  expect(body.value[0]?.properties).toMatchObject({
    status: 'Failed',
    message: 'The broker at 127.0.0.1:9 cannot be reached: start it, or set its address.',
  })
})

test('a NATS server that requires TLS but does not support it gets nothing, and the history reports it', async () => {
  await using picky = await fakeBroker((socket) => {
    socket.once('data', () => socket.end('no TLS'))
    socket.write('INFO {"tls_required":true}\r\n')
  })
  await using app = await start({}, { queue: `nats://${picky.host}`, topic: broker })
  const { jobs } = await setUp(app, 'acme')
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'secret' }
  await jobs.createOrUpdate({
    params: at('picky'),
    body: { properties: { action: { type: 'StorageQueue', queueMessage, retryPolicy: none } } },
  })
  await app.jobs.drain()
  const { body } = await jobs.listJobHistory({ params: at('picky') })
  expect(body.value[0]?.properties).toMatchObject({ status: 'Failed', message: expect.stringContaining('over TLS (') })
})
