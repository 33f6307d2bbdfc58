import { named, Type } from '@icosa/contract'
import { implement, ok, type Service } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindSubscription, listSubscriptions, releaseSubscription } from './bindings.ts'
import { arm, resourceFields } from './contract.ts'
import { armServer } from './server.ts'

const api = arm('Vendor.Garden', { plantName: Type.String() })
const Plant = named('Plant', resourceFields)
const at = api.inGroup('/plants/{plantName}')
const plants = {
  get: api.get(at, { summary: 'Get a plant.', replies: { 200: Plant } }),
  put: api.put(at, { summary: 'Plant something.', replies: { 200: Plant } }),
  delete: api.delete(at, { summary: 'Dig a plant up.', replies: { 200: Plant } }),
}
const answer = async () => ok({ id: '/', name: 'rose', type: 'Vendor.Garden/plants' })
const garden: Service = {
  name: 'garden',
  title: 'A garden',
  apis: [
    {
      dialect: armServer(api, { original: 'Maker.Garden', versions: ['2019-01-01'] }),
      resources: { Plants: implement(plants, { get: answer, put: answer, delete: answer }) },
    },
  ],
}

// Three nodes on one database: they share the service object, but each has its own cache.
let nodes: TestApp[] = []
let first: TestApp
beforeAll(async () => {
  first = await startTestApp(garden)
  const { databaseUrl } = first
  const bound = () => startTestApp({ services: [garden], databaseUrl, subscriptions: 'bind' })
  nodes = [await bound(), await bound()]
})
afterAll(async () => {
  for (const node of [...nodes, first]) await node[Symbol.asyncDispose]()
})

const transaction: TestApp['platform']['database']['transaction'] = (work) => first.platform.database.transaction(work)
const bind = (id: string, tenant: string) => transaction((db) => bindSubscription(db, first.platform.clock, id, tenant))
const release = (id: string) => transaction((db) => releaseSubscription(db, id, true))

async function ask(app: TestApp, tenant: string, id: string, method = 'GET'): Promise<number> {
  const path = `/garden/subscriptions/${id}/resourceGroups/all/providers/Vendor.Garden/plants/rose`
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  return (await fetch(`${app.url}${path}?api-version=2019-01-01`, { method, headers })).status
}

const askAll = (tenant: string, id: string, method?: string) =>
  Promise.all(nodes.map((node) => ask(node, tenant, id, method)))

test('one that was just bound is there at once, on every node, for those who were refused before', async () => {
  for (let round = 0; round < 20; round++) {
    const id = `bound-${round}`
    expect(await askAll('acme', id)).toEqual([404, 404])
    await bind(id, 'acme')
    expect(await askAll('acme', id)).toEqual([200, 200])
    expect(await askAll('acme', id.toUpperCase())).toEqual([200, 200])
  }
})

test('that it is one tenant’s is remembered for that tenant alone', async () => {
  await bind('shared', 'acme')
  for (let round = 0; round < 20; round++) {
    const both = [askAll('acme', 'shared'), askAll('globex', 'shared')]
    expect(await Promise.all(both)).toEqual([
      [200, 200],
      [404, 404],
    ])
  }
  // Tenant and subscription whose concatenated names are the same.
  await bind('b', 'acme.a')
  expect([await askAll('acme.a', 'b'), await askAll('acme', 'a.b'), await askAll('acme', '.ab')]).toEqual([
    [200, 200],
    [404, 404],
    [404, 404],
  ])
})

test('when it changes hands the next owner has it at once, and the last one writes no more and soon reads no more', async () => {
  await bind('moved', 'acme')
  expect(await askAll('acme', 'moved')).toEqual([200, 200])
  await release('moved')
  for (const method of ['PUT', 'DELETE']) expect(await askAll('acme', 'moved', method)).toEqual([404, 404])
  await bind('moved', 'globex')
  expect(await askAll('globex', 'moved')).toEqual([200, 200])
  expect(await askAll('globex', 'moved', 'PUT')).toEqual([200, 200])
  await expect.poll(() => askAll('acme', 'moved')).toEqual([404, 404])

  await release('moved')
  await bind('moved', 'acme')
  expect(await askAll('acme', 'moved')).toEqual([200, 200])
  for (const method of ['PUT', 'DELETE']) expect(await askAll('globex', 'moved', method)).toEqual([404, 404])
  await expect.poll(() => askAll('globex', 'moved')).toEqual([404, 404])
})

test('one that nobody has goes to who first makes something in it, whoever read in it before', async () => {
  expect([await ask(first, 'acme', 'free'), await ask(first, 'globex', 'free')]).toEqual([200, 200])
  expect(await ask(first, 'globex', 'free', 'PUT')).toBe(200)
  expect([await ask(first, 'acme', 'free'), await ask(first, 'acme', 'free', 'PUT')]).toEqual([404, 404])
  expect(await askAll('globex', 'free')).toEqual([200, 200])
  expect(await askAll('acme', 'free')).toEqual([404, 404])
})

test('a subscription is bound to one tenant, and released only when that has nothing in it', async () => {
  const { database } = first.platform
  await bind('Office', 'acme')
  await bind('office', 'acme')
  await expect(bind('OFFICE', 'globex')).rejects.toMatchObject({ kind: 'conflict' })
  for (const wrong of ['two words', '', 'a'.repeat(101), 'a\nb']) {
    await expect(bind('another', wrong), wrong).rejects.toMatchObject({ kind: 'invalid' })
    await expect(bind(wrong, 'acme'), wrong).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidSubscriptionId' })
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
  const letGo = (force: boolean) => transaction((db) => releaseSubscription(db, 'Office', force))
  await expect(letGo(false)).rejects.toThrow('acme has 2 of garden.plants in')
  expect(await ids('acme')).toContain('office')
  expect(await letGo(true)).toEqual({ tenant: 'acme', resources: 2 })
  expect(await ids('acme')).not.toContain('office')
  await expect(letGo(true)).rejects.toMatchObject({ kind: 'notFound' })
  await bind('office', 'globex')
  await database.script('drop schema garden cascade')
  expect(await letGo(false)).toEqual({ tenant: 'globex', resources: 0 })
})
