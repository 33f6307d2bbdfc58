import { sql } from '@icosa/kernel'
import { acceptedForMs, freePort, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { configurationStores } from '../index.ts'
import { startStores, versioned } from '../testing/app.ts'
import { storeClient } from '../testing/store-client.ts'

test('a store has four keys, and a regenerated secret replaces the old one immediately', async () => {
  await using world = await startStores()
  const { params, manager, keys } = await world.open('keyed-store')
  const accessKeys = await keys()
  expect(accessKeys.map(({ name, readOnly }) => ({ name, readOnly }))).toEqual([
    { name: 'Primary', readOnly: false },
    { name: 'Secondary', readOnly: false },
    { name: 'Primary Read Only', readOnly: true },
    { name: 'Secondary Read Only', readOnly: true },
  ])
  for (const { id, value } of accessKeys) {
    expect(id).toMatch(/^0-l4-s0:[\w-]{20}$/)
    expect(Buffer.from(value, 'base64')).toHaveLength(32)
  }

  const [primary, secondary] = accessKeys as [(typeof accessKeys)[0], (typeof accessKeys)[0]]
  const endpoint = world.endpointOf('keyed-store')
  const oldClient = storeClient(endpoint, primary)
  expect((await oldClient.get('/kv')).status).toBe(200)
  const { body: fresh } = await manager.stores.regenerateKey({ ...versioned, params, body: { id: primary.id } })
  expect(fresh).toMatchObject({ id: primary.id, name: 'Primary' })
  expect(fresh.value).not.toBe(primary.value)
  expect((await oldClient.get('/kv')).status, 'the old secret').toBe(401)
  expect((await storeClient(endpoint, fresh).get('/kv')).status).toBe(200)
  expect((await storeClient(endpoint, secondary).get('/kv')).status, 'the others still work').toBe(200)
  await expect(
    manager.stores.regenerateKey({ ...versioned, params, body: { id: 'no-such-key' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('another node refuses an old secret within about a second', async () => {
  await using world = await startStores()
  const { params, manager, keys } = await world.open('keyed-store')
  await using other = await startTestApp({ services: [configurationStores()], databaseUrl: world.app.databaseUrl })
  const [primary] = await keys()
  const elsewhere = storeClient(
    `${other.url}/configuration-stores/stores/keyed-store`,
    primary as { id: string; value: string },
  )
  expect((await elsewhere.get('/kv')).status).toBe(200)
  await manager.stores.regenerateKey({ ...versioned, params, body: { id: primary?.id ?? '' } })
  expect(await acceptedForMs(async () => (await elsewhere.get('/kv')).status === 200)).toBeLessThan(1_500)
  expect((await elsewhere.get('/kv')).status).toBe(401)
})

test('the database stores no secret in plaintext', async () => {
  await using world = await startStores()
  const { keys } = await world.open('keyed-store')
  const [row] = await world.app.platform.database.many(sql`
    select string_agg(encode(secret, 'escape'), ' ') as all from configuration_stores.access_keys`)
  for (const { value } of await keys()) expect(JSON.stringify(row)).not.toContain(value)
})

test('a connection string is all that a client needs', async () => {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}/configuration-stores/stores/{name}`
  await using world = await startStores({
    services: [configurationStores({ endpoint })],
    api: { host: '127.0.0.1', port },
  })
  const { manager, params } = await world.open('Connected')
  const { body } = await manager.stores.listKeys({ ...versioned, params })
  const [, at = '', id = '', value = ''] =
    /^Endpoint=(.*);Id=(.*);Secret=(.*)$/.exec(body.value[0]?.connectionString ?? '') ?? []
  const application = storeClient(at, { id, value })
  expect((await application.put('/kv/greeting', { value: 'hello' })).status).toBe(200)
  expect((await application.get('/kv/greeting')).body.value).toBe('hello')
})

test('a list of one page refuses continuation tokens', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('one-page')
  const query = { ...versioned.query, $skipToken: 'from-nowhere' }
  const refusal = { status: 400, body: { error: { message: expect.stringContaining('query/$skipToken') } } }
  await expect(manager.stores.listKeys({ query, params })).rejects.toMatchObject(refusal)
  const address = `${world.app.url}/configuration-stores/providers/Vendor.AppConfiguration/operations`
  const { authorization } = manager
  const response = await fetch(`${address}?${new URLSearchParams(query)}`, { headers: { authorization } })
  expect(response.status).toBe(400)
})
