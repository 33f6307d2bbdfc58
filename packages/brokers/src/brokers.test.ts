import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openBrokers } from './brokers.ts'
import { connectMs } from './connection.ts'
import type { Message } from './message.ts'
import { amqpClient, rabbit } from './testing/amqp.ts'
import { fakeBroker } from './testing/fake-broker.ts'
import { natsClient } from './testing/nats.ts'
import { startRelay } from './testing/relay.ts'

const nats = 'nats://127.0.0.1:4222'
const never = new AbortController().signal
const patient = { signal: never, timeoutMs: 60_000 }

const messageFor = (subject: string, id = 'one'): Message => ({
  kind: 'queue',
  subject,
  id,
  headers: {},
  payload: 'hello',
})

/** A real broker of each kind behind a relay, with a consumer. */
async function natsBehindRelay(delayMs = 0) {
  const subject = `test.${randomUUID()}`
  const consumer = await natsClient(nats)
  const messages = await consumer.subscribe(subject)
  const relay = await startRelay(nats, delayMs)
  const ids = async () => {
    await consumer.flush()
    return messages().map(({ headers }) => /Nats-Msg-Id: (\S+)/.exec(headers)?.[1])
  }
  const close = async () => {
    consumer[Symbol.dispose]()
    await relay[Symbol.asyncDispose]()
  }
  return { subject, relay, ids, [Symbol.asyncDispose]: close }
}

async function rabbitBehindRelay(delayMs = 0) {
  const subject = `q-${randomUUID()}`
  const consumer = await amqpClient()
  await consumer.queue(subject)
  const relay = await startRelay(rabbit, delayMs)
  const ids = async () => (await consumer.take(subject)).map(({ messageId }) => messageId)
  const close = async () => {
    await consumer[Symbol.asyncDispose]()
    await relay[Symbol.asyncDispose]()
  }
  return { subject, relay, ids, [Symbol.asyncDispose]: close }
}

const all = [
  ['NATS', natsBehindRelay],
  ['AMQP', rabbitBehindRelay],
] as const

test.each(all)('a thousand messages share one connection: %s', async (_, start) => {
  await using broker = await start()
  await using brokers = openBrokers()
  const ids = Array.from({ length: 1_000 }, (_, index) => `m${index}`)
  const queue = ids.values()
  const sender = async () => {
    for (const id of queue) await brokers.publish(broker.relay.address, messageFor(broker.subject, id), patient)
  }
  await Promise.all(Array.from({ length: 25 }, sender))
  expect(broker.relay.connections()).toBe(1)
  expect((await broker.ids()).toSorted()).toEqual(ids.toSorted())
})

test.each(all)('a hundred senders share the connection to a slow broker: %s', async (_, start) => {
  await using broker = await start(200)
  await using brokers = openBrokers()
  const ids = Array.from({ length: 100 }, (_, index) => `m${index}`)
  const { address } = broker.relay
  await brokers.publish(address, messageFor(broker.subject, 'first'), patient)
  const began = performance.now()
  await brokers.publish(address, messageFor(broker.subject, 'second'), patient)
  const singleMs = performance.now() - began
  await Promise.all(ids.map((id) => brokers.publish(address, messageFor(broker.subject, id), patient)))
  const allMs = performance.now() - began - singleMs
  expect(broker.relay.connections()).toBe(1)
  expect(new Set(await broker.ids())).toEqual(new Set(['first', 'second', ...ids]))
  expect(allMs, 'messages do not wait for each other').toBeLessThan(20 * singleMs)
})

test.each(all)(
  'only messages unconfirmed when the connection breaks are sent again: %s',
  {
    timeout: 60_000,
  },
  async (_, start) => {
    await using broker = await start()
    await using brokers = openBrokers()
    const { relay, subject } = broker
    const ids = Array.from({ length: 500 }, (_, index) => `m${index}`)
    const confirmedBefore = new Set<string>()
    const unconfirmed = new Set<string>()
    let isBroken = false
    const queue = ids.values()
    const sender = async () => {
      for (const id of queue) {
        const send = () => brokers.publish(relay.address, messageFor(subject, id), patient)
        for (;;) {
          try {
            await send()
            if (!isBroken) confirmedBefore.add(id)
            break
          } catch {
            if (!isBroken) throw new Error('It failed before the connection was broken.')
            unconfirmed.add(id)
            relay.up()
          }
        }
        if (confirmedBefore.size > 200 && !isBroken) {
          isBroken = true
          relay.down()
        }
      }
    }
    await Promise.all(Array.from({ length: 10 }, sender))
    const counts = Map.groupBy(await broker.ids(), (id) => id)
    expect(new Set(counts.keys()), 'nothing is lost').toEqual(new Set(ids))
    const duplicates = ids.filter((id) => (counts.get(id)?.length ?? 0) > 1)
    expect(
      duplicates.filter((id) => !unconfirmed.has(id)),
      'confirmed messages arrive once',
    ).toEqual([])
    expect(unconfirmed.size).toBeLessThanOrEqual(10)
  },
)

test('at most a thousand messages per broker are unconfirmed; others wait', async () => {
  await using broker = await natsBehindRelay()
  await using brokers = openBrokers()
  const { relay, subject } = broker
  await brokers.publish(relay.address, messageFor(subject, 'first'), patient)
  relay.hold()
  const sending = Array.from({ length: 1_100 }, (_, index) =>
    brokers.publish(relay.address, messageFor(subject, `m${index}`), patient),
  )
  const written = () => relay.sent().match(/Nats-Msg-Id: m/g)?.length ?? 0
  await expect.poll(written).toBe(1_000)
  const giveUp = new AbortController()
  const late = brokers.publish(relay.address, messageFor(subject, 'abandoned'), { ...patient, signal: giveUp.signal })
  giveUp.abort()
  await expect(late).rejects.toThrow('did not respond')
  relay.resume()
  await Promise.all(sending)
  expect(written()).toBe(1_100)
  expect(relay.sent()).not.toContain('abandoned')
})

test.each(all)('waiting messages fail with a retryable error when the connection breaks: %s', async (_, start) => {
  await using broker = await start()
  await using brokers = openBrokers()
  const { relay, subject } = broker
  await brokers.publish(relay.address, messageFor(subject, 'first'), patient)
  relay.hold()
  const sending = Array.from({ length: 1_100 }, (_, index) =>
    brokers.publish(relay.address, messageFor(subject, `m${index}`), patient).catch((error) => error.kind),
  )
  relay.down()
  expect(new Set(await Promise.all(sending))).toEqual(new Set(['unavailable']))
  relay.resume()
  relay.up()
  await brokers.publish(relay.address, messageFor(subject, 'last'), patient)
  expect((await broker.ids()).at(-1)).toBe('last')
})

test.each(['nats', 'amqp'])(
  'publishing to a silent broker ends at the timeout, or when the worker loses the job: %s',
  async (protocol) => {
    await using broker = await fakeBroker(() => {})
    const brokers = openBrokers()
    const address = `${protocol}://${broker.host}`
    await expect(brokers.publish(address, messageFor('q'), { signal: never, timeoutMs: 50 })).rejects.toThrow(
      'did not respond',
    )
    const aborted = { signal: AbortSignal.abort(), timeoutMs: 60_000 }
    await expect(brokers.publish(address, messageFor('q'), aborted)).rejects.toThrow('did not respond')
    expect(broker.connections(), 'both share a connection').toBe(1)
    const hasClosed = brokers[Symbol.asyncDispose]().then(() => true)
    const timeout = new Promise((resolve) => setTimeout(resolve, connectMs, false))
    expect(await Promise.race([hasClosed, timeout]), 'closing does not wait for the handshake').toBe(true)
  },
)

test.each(all)('closed brokers send nothing, and have closed their connections: %s', async (_, start) => {
  await using broker = await start()
  const brokers = openBrokers()
  await brokers.publish(broker.relay.address, messageFor(broker.subject), patient)
  await brokers[Symbol.asyncDispose]()
  await expect(brokers.publish(broker.relay.address, messageFor(broker.subject), patient)).rejects.toThrow(
    'shutting down',
  )
  expect(broker.relay.connections()).toBe(1)
})
