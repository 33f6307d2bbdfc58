import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Db, sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceName } from '../names.ts'
import { at, type FunctionsApp, place, startFunctions, type Tenant } from '../testing/app.ts'
import { emit, maxStoredBytes } from './emit.ts'
import { messagePublished } from './names.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  const storageSource = await acme.upload({ 'index.js': 'no (' })
  const body = { buildConfig: { runtime: 'nodejs24', source: { storageSource } }, ...trigger('template') }
  await acme.createFunction({ params: place, query: { functionId: 'template' }, body })
})
afterAll(() => app[Symbol.asyncDispose]())

const topicOf = (topic: string) => `projects/shop/topics/${topic}`
const trigger = (topic: string) => ({
  eventTrigger: { eventType: messagePublished, pubsubTopic: topicOf(topic) },
})

/** Adds functions subscribed to a topic, without a revision. */
async function subscribe(topic: string, count: number) {
  await app.platform.database.run(sql`
    insert into functions.functions (tenant, subscription_key, location, name_key, desired, state, address, operation,
      created_at, updated_at)
    select tenant, subscription_key, location, ${topic} || '-' || n,
      jsonb_set(desired, '{eventTrigger,pubsubTopic}', to_jsonb(${topicOf(topic)}::text)), 'FAILED', ${topic} || n,
      operation, created_at, updated_at
    from functions.functions, generate_series(1, ${count}::int) as n where name_key = 'template'`)
}

const publish = (topic: string, bytes: number) => {
  const data = Buffer.alloc(bytes, 'a').toString('base64')
  return acme.publish({ params: { project: 'shop', topic }, body: { messages: [{ data }] } })
}

const counts = () =>
  app.platform.database.one<{ messages: number; deliveries: number; copied: number }>(sql`
    select (select count(*)::int from functions.messages) as messages, count(*)::int as deliveries,
      count(data)::int as copied from functions.deliveries`)

/** A database handle that counts the bytes of all parameters. */
function counting(db: Db): { readonly db: Db; bytes: number } {
  const counter = { db, bytes: 0 }
  const get = (target: Db, name: keyof Db) => {
    const method = (target[name] as (statement: unknown) => unknown).bind(target)
    return (statement: { readonly values: readonly unknown[] }) => {
      counter.bytes += JSON.stringify(statement.values).length
      return method(statement)
    }
  }
  counter.db = new Proxy(db, { get: get as ProxyHandler<Db>['get'] & object })
  return counter
}

test('the bytes that a publish sends to PostgreSQL do not depend on the number of functions', async () => {
  const size = 2 ** 20
  const bytesSent = async (topic: string, functions: number) => {
    await subscribe(topic, functions)
    const attributes = { id: topic, type: messagePublished, source: 's', time: '', topic }
    const event = { topic: topicOf(topic), attributes, data: JSON.stringify('a'.repeat(size)) }
    return app.platform.transaction(serviceName, 'acme', async (db, jobs) => {
      const counter = counting(db)
      await emit({ db: counter.db, jobs, clock: app.platform.clock }, 'acme', [event])
      await db.run(sql`delete from functions.messages`)
      return counter.bytes
    })
  }
  const single = await bytesSent('single', 1)
  expect(single).toBeGreaterThan(size)
  expect((await bytesSent('hundred', 100)) - single).toBeLessThan(100)
})

test('a message is stored once for all functions and deleted with its last delivery', async () => {
  const count = 120 // more than a batch
  const lines = { 'index.js': "exports.hello = (event) => console.log('length', event.data.message.data.length)\n" }
  await acme.deploy('hears', lines, { body: trigger('large') })
  await subscribe('large', count)
  await publish('large', 900_000)
  expect(await counts()).toMatchObject({ messages: 1, deliveries: 0 })
  await app.jobs.drain()
  const printed = async () =>
    (await acme.listLogs({ params: at('hears'), query: { pageSize: 100 } })).body.lines.map(({ text }) => text)
  await expect.poll(printed).toContain('length 1200000')
  expect(await counts()).toEqual({ messages: 1, deliveries: count, copied: 0 }) // all but the one that acknowledged it

  await app.platform.database.run(sql`
    delete from functions.functions where name_key like 'large-%' and name_key <> 'large-7'`)
  await app.clock.advance(11_000)
  await app.jobs.drain()
  expect(await counts()).toEqual({ messages: 1, deliveries: 1, copied: 0 })
  await app.clock.advance(24 * 3_600_000) // the last function gets no revision within a day
  await app.jobs.drain()
  expect(await counts()).toEqual({ messages: 0, deliveries: 1, copied: 0 })
  const { failedEvents } = (await acme.listFailedEvents({ params: at('large-7') })).body
  expect(failedEvents).toMatchObject([{ reason: expect.stringContaining('No revision') }])
})

test('a deleted function releases the messages that wait for it', async () => {
  await subscribe('left', 2)
  await publish('left', 900_000)
  await app.jobs.drain()
  expect(await counts()).toMatchObject({ messages: 1 })
  for (const name of ['left-1', 'left-2']) await acme.waitFor((await acme.deleteFunction({ params: at(name) })).body)
  expect(await counts()).toMatchObject({ messages: 0 })
})

test('publishing is refused once too many bytes are queued', async () => {
  await subscribe('full', 1)
  await app.platform.database.run(sql`
    insert into functions.messages (tenant, id, attributes, data, bytes, created_at)
    values ('acme', 'filler', '{}', '', ${maxStoredBytes}, now())`)
  await expect(publish('full', 900_000)).rejects.toMatchObject({
    status: 429,
    body: { error: { status: 'RESOURCE_EXHAUSTED' } },
  })
  await publish('full', 1_000) // small enough to be copied
  await app.platform.database.run(sql`delete from functions.messages where id = 'filler'`)
})

test.runIf(process.env.NIGHTLY)('9 MB for 120 functions delay other tenants no more than 9 MB for none', async () => {
  await subscribe('heavy', sized(1, 120))
  const other = await app.tenant('other')
  const params = { project: 'elsewhere', topic: 'quiet' }
  const measure = async (topic: string) => {
    const loop = monitorEventLoopDelay({ resolution: 5 })
    const memory = process.memoryUsage().rss
    const latencies: number[] = []
    loop.enable()
    for (let n = 0; n < 10; n++) {
      let isDone = false
      const publishing = publish(topic, 7_000_000).finally(() => (isDone = true))
      while (!isDone) {
        const began = performance.now()
        await other.publish({ params, body: { messages: [{ data: '' }] } })
        latencies.push(performance.now() - began)
      }
      await publishing
    }
    loop.disable()
    const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0
    return { p99, loopMs: loop.max / 1e6, grownMb: (process.memoryUsage().rss - memory) / 2 ** 20 }
  }
  await measure('unsubscribed') // warms up
  const without = await measure('unsubscribed')
  const withMany = await measure('heavy')
  console.log({ without, withMany })
  expect(withMany.p99).toBeLessThan(2 * without.p99 + 20)
  expect(withMany.loopMs).toBeLessThan(2 * without.loopMs + 100)
  expect(withMany.grownMb).toBeLessThan(300)
})
