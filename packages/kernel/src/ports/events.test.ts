import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import { publish, takeEvents } from './events.ts'
import type { ResourceEntry } from './resources.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(example)
})
afterAll(() => app[Symbol.asyncDispose]())

const database = () => app.platform.database
const subscribe = (tenant: string, type: string, subscriber: string, service = 'listening') =>
  database().run(sql`insert into icosa.event_subscriptions values (${tenant}, ${service}, ${subscriber}, ${type})`)
const put = (tenant: string, entry: ResourceEntry) =>
  app.platform.transaction('things', tenant, (_db, _jobs, resources) => resources.put(entry))
const remove = (tenant: string, id: string) =>
  app.platform.transaction('things', tenant, (_db, _jobs, resources) => resources.remove(id))
const take = (tenant: string, service = 'listening', limit = 100) =>
  database().transaction((db) => takeEvents(db, { service, tenant, limit }))
const stored = async () =>
  (await database().one<{ count: number }>(sql`select count(*)::int as count from icosa.events`)).count
const resource = { id: '/Things/One', type: 'Vendor/things', name: 'One', tags: { stage: 'test' } }

test('changes of resources are events of their tenant, stored once per service, only for what it subscribes to', async () => {
  await put('ada', resource)
  expect(await stored()).toBe(0)
  for (const subscriber of ['first', 'second']) await subscribe('ada', 'icosa.resource.v1.updated', subscriber)
  await subscribe('ada', 'icosa.resource.v1.deleted', 'third')
  await put('ada', { ...resource, location: 'here' })
  await put('bob', resource)
  await put('bob', resource)
  expect(await stored()).toBe(1)
  await remove('ada', '/things/one')
  await remove('ada', '/things/one')
  const common = {
    source: '/things',
    subject: resource.id,
    service: 'things',
    resourcetype: resource.type,
    name: 'One',
  }
  const data = { id: resource.id, service: 'things', type: resource.type, name: 'One', tags: resource.tags }
  const expected = (change: string) => ({
    key: '/things/one',
    attributes: {
      ...{ ...common, type: `icosa.resource.v1.${change}`, location: 'here' },
      ...{ id: expect.stringMatching(/^[\da-f-]{36}$/), time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) },
    },
    data: { ...data, location: 'here', scope: null },
  })
  expect(await take('bob')).toEqual([])
  expect(await take('ada', 'other')).toEqual([])
  expect(await take('ada')).toMatchObject([expected('updated'), expected('deleted')])
  expect(await take('ada')).toEqual([])
})

test('an event commits with its cause, and enqueues the job of each subscribed service', async () => {
  const type = 'shop.order.v1.paid'
  for (const service of ['accounting', 'shipping']) await subscribe('cleo', type, 'one', service)
  const paid = (id: string) =>
    ({ tenant: 'cleo', type, key: id, attributes: { source: '/shop' }, data: { id }, at: new Date() }) as const
  const failing = database().transaction(async (db) => {
    await publish(db, [paid('1')])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await take('cleo', 'accounting')).toEqual([])
  const queues = await database().transaction((db) => publish(db, [paid('2'), paid('3')]))
  expect(queues.sort()).toEqual(['accounting', 'shipping'])
  const jobs = await database().many(sql`
    select queue, payload from icosa.jobs where queue in ('accounting', 'shipping') order by queue`)
  const payload = { job: 'receive-events', tenant: 'cleo', input: {} }
  expect(jobs).toEqual(queues.map((queue) => ({ queue, payload })))
  expect((await take('cleo', 'shipping', 1)).map(({ key }) => key)).toEqual(['2'])
  expect((await take('cleo', 'shipping', 1)).map(({ key }) => key)).toEqual(['3'])
})

test('concurrent receivers take each event once, in order', async () => {
  await subscribe('dora', 'icosa.resource.v1.updated', 'one')
  await put('dora', resource)
  const names = Array.from({ length: 40 }, (_, n) => `${n}`)
  for (const name of names) await put('dora', { ...resource, name })
  const batches = await Promise.all(Array.from({ length: 8 }, () => take('dora', 'listening', 7)))
  const rest = await take('dora')
  for (const batch of batches) {
    const numbers = batch.map(({ attributes }) => Number(attributes.name))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
  const taken = [...batches.flat(), ...rest].map(({ attributes }) => Number(attributes.name))
  expect(taken.toSorted((a, b) => a - b)).toEqual(names.map(Number))
})
