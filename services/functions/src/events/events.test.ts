import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, startFunctions, type Tenant } from '../testing/app.ts'
import { matchesFilters } from './filter.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const trigger = (topic: string, more: object = {}) => ({
  eventTrigger: {
    eventType: 'google.cloud.pubsub.topic.v1.messagePublished',
    pubsubTopic: `projects/shop/topics/${topic}`,
    ...more,
  },
  serviceConfig: { maxInstanceRequestConcurrency: 20, maxInstanceCount: 1 },
})
const base64 = (text: string) => Buffer.from(text).toString('base64')
const publish = (topic: string, ...texts: string[]) =>
  acme.publish({
    params: { project: 'shop', topic },
    body: { messages: texts.map((text) => ({ data: base64(text) })) },
  })

/** Lines that a function printed, without those of the platform. */
async function printed(name: string): Promise<string[]> {
  const { lines } = (await acme.listLogs({ params: at(name), query: { pageSize: 1000 } })).body
  return lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)
}
const patience = { timeout: 120_000, interval: 200 }

const listener = {
  'index.js': `exports.hello = (event) => {
    const { message } = event.data
    console.log(event.type, event.source, message.messageId === event.id, Buffer.from(message.data, 'base64').toString())
  }\n`,
}

test('a message is delivered to every subscribed function as a CloudEvent', async () => {
  await acme.deploy('listens', listener, { body: trigger('orders') })
  await acme.deploy('hears-all', listener, { body: trigger('orders') })
  await acme.deploy('elsewhere', listener, { body: trigger('returns') })
  const { body } = await publish('orders', 'größe 1')
  expect(body.messageIds).toHaveLength(1)
  await app.jobs.drain()
  const line =
    'google.cloud.pubsub.topic.v1.messagePublished //pubsub.googleapis.com/projects/shop/topics/orders true größe 1'
  await expect.poll(() => printed('listens'), patience).toEqual([line])
  await expect.poll(() => printed('hears-all'), patience).toEqual([line])
  expect(await printed('elsewhere')).toEqual([])
  const resource = (await acme.getFunction({ params: at('listens') })).body
  expect(resource.eventTrigger?.trigger).toBe('projects/shop/locations/europe-north1/triggers/listens')

  await acme.waitFor((await acme.deleteFunction({ params: at('hears-all') })).body)
  await publish('orders', 'second')
  await app.jobs.drain() // the deleted function receives nothing
  await expect.poll(async () => (await printed('listens')).length, patience).toBe(2)
})

test('every one of many messages is handled', async () => {
  const count = sized(300, 10_000)
  await acme.deploy('counts', listener, { body: trigger('numbers') })
  for (let first = 0; first < count; first += 100)
    await publish('numbers', ...Array.from({ length: 100 }, (_, n) => `n${first + n}`))
  await app.jobs.drain()
  const received = async () => new Set((await printed('counts')).map((line) => line.split(' ').at(-1)))
  if (count <= 1000) await expect.poll(async () => (await received()).size, patience).toBe(count)
  const remaining = await app.platform.database.one<{ count: number }>(
    sql`select count(*)::int as count from functions.deliveries where function = 'counts'`,
  )
  expect(remaining.count).toBe(0)
})

const fails = (until: number) => ({
  'index.js': `let count = 0
    exports.hello = (event) => {
      console.log('attempt', ++count)
      if (count < ${until}) throw new Error('not yet')
    }\n`,
})

test('a refused event is retried if the policy says so', async () => {
  await acme.deploy('retries', fails(3), { body: trigger('patient', { retryPolicy: 'RETRY_POLICY_RETRY' }) })
  await publish('patient', 'one')
  await app.jobs.drain()
  await expect.poll(() => printed('retries'), patience).toEqual(['attempt 1'])
  await app.clock.advance(11_000)
  await app.jobs.drain()
  await expect.poll(() => printed('retries'), patience).toEqual(['attempt 1', 'attempt 2'])
  await app.clock.advance(11_000) // the pause has grown
  await app.jobs.drain()
  expect(await printed('retries')).toHaveLength(2)
  await app.clock.advance(11_000)
  await app.jobs.drain()
  await expect.poll(() => printed('retries'), patience).toHaveLength(3)
  expect((await acme.listFailedEvents({ params: at('retries') })).body.failedEvents).toEqual([])
})

test('abandoned events are listed with their reason', async () => {
  await acme.deploy('refuses', fails(100), { body: trigger('hopeless') })
  const { messageIds } = (await publish('hopeless', 'one')).body
  await app.jobs.drain()
  const { failedEvents } = (await acme.listFailedEvents({ params: at('refuses') })).body
  expect(failedEvents).toMatchObject([
    { id: messageIds[0], attempts: 1, reason: expect.stringMatching(/^It answered 500.*invocation/) },
  ])
  await publish('hopeless', 'two')
  await app.jobs.drain()
  const { body } = await acme.listFailedEvents({ params: at('refuses'), query: { pageSize: 1 } })
  expect(body.failedEvents).toHaveLength(1)
  const second = await acme.listFailedEvents({
    params: at('refuses'),
    query: { pageToken: body.nextPageToken as string },
  })
  expect(second.body.failedEvents.map(({ id }) => id)).toEqual(messageIds)
})

test('tenants do not receive messages of others', async () => {
  const other = await app.tenant('other')
  const params = { project: 'shop', topic: 'orders' }
  const response = other.publish({ params, body: { messages: [{ data: '' }] } })
  await expect(response).rejects.toMatchObject({ status: 404 }) // the project is not theirs
})

test.each<[string, string, string, boolean]>([
  ['', '/a/b', '/a/b', true],
  ['', '/a/b', '/a', false],
  ['match-path-pattern', '/a/*/c', '/a/b/c', true],
  ['match-path-pattern', '/a/*', '/a/b/c', false],
  ['match-path-pattern', '/a/**', '/a/b/c', true],
  ['match-path-pattern', '/**/c', '/a/b/c', true],
  ['match-path-pattern', '/a/x*z.json', '/a/xyz.json', true],
  ['match-path-pattern', '/a/x*x', '/a/x', false],
])('the filter %j %s matches %s: %s', (operator, value, subject, expected) => {
  const event = { id: '1', type: 't', source: 's', time: '', subject }
  expect(matchesFilters(event, [{ attribute: 'subject', value, operator }])).toBe(expected)
  expect(matchesFilters(event, [{ attribute: 'unknown', value, operator }])).toBe(false)
})
