import { named, Type } from '@icosa/contract'
import { implement, ok, type Service, sql, withPreparation } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindSubscription, listSubscriptions, releaseSubscription } from './bindings.ts'
import { arm, resourceFields } from './contract.ts'
import { armServer } from './server.ts'
import { holdSubscription, isOwner } from './subscriptions.ts'

const api = arm('Vendor.Garden', { plantName: Type.String() })
const Plant = named('Plant', resourceFields)
const at = api.inGroup('/plants/{plantName}')
const plants = {
  get: api.get(at, { summary: 'Get a plant.', replies: { 200: Plant } }),
  put: api.put(at, { summary: 'Plant something.', replies: { 200: Plant } }),
  delete: api.delete(at, { summary: 'Dig a plant up.', replies: { 200: Plant } }),
  move: api.post(api.inGroup('/plants/{plantName}/move'), { summary: 'Move a plant.', replies: { 200: Plant } }),
}
const answer = async () => ok({ id: '/', name: 'rose', type: 'Vendor.Garden/plants' })
let moves = 0
const prepare = async () => void moves++
const garden: Service = {
  name: 'garden',
  title: 'A garden',
  moves: 'withRows',
  apis: [
    {
      dialect: armServer(api, { original: 'Maker.Garden', versions: ['2019-01-01'] }),
      resources: {
        Plants: implement(plants, { get: answer, put: answer, delete: answer, move: withPreparation(prepare, answer) }),
      },
    },
  ],
}

// Three nodes on one database: they share the service object, but each has its own cache.
let nodes: TestApp[] = []
let first: TestApp
beforeAll(async () => {
  first = await startTestApp(garden)
  const { databaseUrl } = first
  const startNode = () => startTestApp({ services: [garden], databaseUrl, subscriptions: 'bind' })
  nodes = [await startNode(), await startNode()]
})
afterAll(async () => {
  for (const node of [...nodes, first]) await node[Symbol.asyncDispose]()
})

const transaction: TestApp['platform']['database']['transaction'] = (work) => first.platform.database.transaction(work)
const bind = (id: string, tenant: string) => transaction((db) => bindSubscription(db, first.platform.clock, id, tenant))
const release = (id: string) => transaction((db) => releaseSubscription(db, id, true))

async function send(app: TestApp, tenant: string, id: string, method = 'GET', action = ''): Promise<Response> {
  const path = `/garden/subscriptions/${id}/resourceGroups/all/providers/Vendor.Garden/plants/rose${action}`
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  return fetch(`${app.url}${path}?api-version=2019-01-01`, { method, headers })
}
const call = async (app: TestApp, tenant: string, id: string, method?: string) =>
  (await send(app, tenant, id, method)).status

const callAll = (tenant: string, id: string, method?: string) =>
  Promise.all(nodes.map((node) => call(node, tenant, id, method)))

test('a new binding is effective immediately, on every node, even after refusals', async () => {
  for (let round = 0; round < 20; round++) {
    const id = `bound-${round}`
    expect(await callAll('acme', id)).toEqual([404, 404])
    await bind(id, 'acme')
    expect(await callAll('acme', id)).toEqual([200, 200])
    expect(await callAll('acme', id.toUpperCase())).toEqual([200, 200])
  }
})

test('ownership is cached per tenant', async () => {
  await bind('shared', 'acme')
  for (let round = 0; round < 20; round++) {
    const calls = [callAll('acme', 'shared'), callAll('globex', 'shared')]
    expect(await Promise.all(calls)).toEqual([
      [200, 200],
      [404, 404],
    ])
  }
  // Tenant and subscription whose concatenated names are the same.
  await bind('b', 'acme.a')
  expect([await callAll('acme.a', 'b'), await callAll('acme', 'a.b'), await callAll('acme', '.ab')]).toEqual([
    [200, 200],
    [404, 404],
    [404, 404],
  ])
})

test('a new owner gets access at once; the previous one cannot write, and soon cannot read', async () => {
  await bind('moved', 'acme')
  expect(await callAll('acme', 'moved')).toEqual([200, 200])
  await release('moved')
  for (const method of ['PUT', 'DELETE']) expect(await callAll('acme', 'moved', method)).toEqual([404, 404])
  await bind('moved', 'globex')
  expect(await callAll('globex', 'moved')).toEqual([200, 200])
  expect(await callAll('globex', 'moved', 'PUT')).toEqual([200, 200])
  await expect.poll(() => callAll('acme', 'moved')).toEqual([404, 404])

  await release('moved')
  await bind('moved', 'acme')
  expect(await callAll('acme', 'moved')).toEqual([200, 200])
  for (const method of ['PUT', 'DELETE']) expect(await callAll('globex', 'moved', method)).toEqual([404, 404])
  await expect.poll(() => callAll('globex', 'moved')).toEqual([404, 404])
})

test('an unassigned subscription is assigned to the first tenant that creates something, not to readers', async () => {
  expect([await call(first, 'acme', 'free'), await call(first, 'globex', 'free')]).toEqual([200, 200])
  expect(await call(first, 'globex', 'free', 'PUT')).toBe(200)
  expect([await call(first, 'acme', 'free'), await call(first, 'acme', 'free', 'PUT')]).toEqual([404, 404])
  expect(await callAll('globex', 'free')).toEqual([200, 200])
  expect(await callAll('acme', 'free')).toEqual([404, 404])
})

test('concurrent creations assign an unassigned subscription to one tenant', async () => {
  const tenants = ['acme', 'globex', 'initech', 'umbrella']
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all(tenants.map((tenant) => call(first, tenant, `raced-${round}`, 'PUT')))
    expect(statuses.sort()).toEqual([200, 404, 404, 404])
  }
})

test('nothing is prepared in a subscription of another tenant', async () => {
  await bind('prepared', 'acme')
  const move = (tenant: string) => send(first, tenant, 'prepared', 'POST', '/move')
  const refused = await move('globex')
  expect([refused.status, moves]).toEqual([404, 0])
  expect(await refused.json()).toMatchObject({
    error: { code: 'SubscriptionNotFound', message: expect.stringContaining("The subscription 'prepared'") },
  })
  expect([(await move('acme')).status, moves]).toEqual([200, 1])
  const { database } = first.platform
  expect(await isOwner(database, 'Prepared', 'acme')).toBe(true)
  expect(await isOwner(database, 'Prepared', 'globex')).toBe(false)
})

test('a subscription is released only after the transactions that create something in it', async () => {
  await bind('busy', 'acme')
  const { database, clock } = first.platform
  const order: string[] = []
  let releasing: Promise<unknown> | undefined
  await transaction(async (db) => {
    await holdSubscription(db, clock, { id: 'busy', tenant: 'acme', rule: 'bind' })
    releasing = release('busy').then(() => order.push('released'))
    const waiting = sql`select 1 from pg_locks where not granted and database = (
      select oid from pg_database where datname = current_database()) or not granted and locktype = 'transactionid'`
    await expect.poll(() => database.many(waiting)).not.toEqual([])
    order.push('created')
  })
  await releasing
  expect(order).toEqual(['created', 'released'])
})

test('a subscription is bound to one tenant, and released only without resources', async () => {
  const { database } = first.platform
  await bind('Office', 'acme')
  await bind('office', 'acme')
  await expect(bind('OFFICE', 'globex')).rejects.toMatchObject({ kind: 'conflict' })
  for (const invalid of ['two words', '', 'a'.repeat(101), 'a\nb']) {
    await expect(bind('another', invalid), invalid).rejects.toMatchObject({ kind: 'invalid' })
    await expect(bind(invalid, 'acme'), invalid).rejects.toMatchObject({
      kind: 'invalid',
      code: 'InvalidSubscriptionId',
    })
  }
  await bind('a'.repeat(100), 'b'.repeat(100))
  const ids = async (tenant?: string) => (await listSubscriptions(database, tenant)).map(({ id }) => id)
  expect(await ids('b'.repeat(100))).toEqual(['a'.repeat(100)])
  expect(await ids('globex')).not.toContain('office')
  expect(await ids()).toEqual(expect.arrayContaining(['office', 'a'.repeat(100)]))

  await database.script(`create schema garden; create table garden.plants (tenant text, subscription_key text, name_key text);
    create table garden.tools (tenant text, subscription_key text);
    insert into garden.plants values ('acme', 'office', 'rose'), ('acme', 'office', 'fern'), ('acme', 'other', 'ivy'),
      ('globex', 'office', 'oak'); insert into garden.tools values ('acme', 'office')`)
  const releaseOffice = (force: boolean) => transaction((db) => releaseSubscription(db, 'Office', force))
  await expect(releaseOffice(false)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('acme has 2 of garden.plants in'),
  })
  expect(await ids('acme')).toContain('office')
  expect(await releaseOffice(true)).toEqual({ tenant: 'acme', resources: 2 })
  expect(await ids('acme')).not.toContain('office')
  await expect(releaseOffice(true)).rejects.toMatchObject({ kind: 'notFound' })
  await bind('office', 'globex')
  await database.script('drop schema garden cascade')
  expect(await releaseOffice(false)).toEqual({ tenant: 'globex', resources: 0 })
})
