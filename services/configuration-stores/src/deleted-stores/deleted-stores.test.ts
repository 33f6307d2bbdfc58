import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { addressOf, later, plain, type StoresApp, startStores, versioned } from '../testing/app.ts'

const dayMs = 86_400_000
const kept = { softDeleteRetentionInDays: 2 }
const at = (configStoreName: string) => ({ subscriptionId: 'sub-of-acme', location: 'West US', configStoreName })
const rows = ({ app }: StoresApp) =>
  app.platform.database.many(sql`select name from configuration_stores.stores order by name`)

/** A store with a key-value, deleted. */
async function deleted(world: StoresApp, name: string, properties: object = kept) {
  const store = await world.open(name, { properties })
  await store.put('/kv/color', { value: 'red' })
  const { status } = await store.manager.stores.delete({ ...versioned, params: store.params })
  expect(status).toBe(202)
  await world.app.jobs.drain()
  return store
}

test('a deleted store is kept: listed, read, closed, and recovered with all that it had', async () => {
  await using world = await startStores()
  const store = await deleted(world, 'kept-store')
  const { params, manager } = store
  const { stores } = manager
  await expect(stores.get({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
  expect((await stores.list({ ...versioned, params })).body.value).toEqual([])
  expect((await store.get('/kv/color')).status, 'its keys open nothing').toBe(401)

  const { body: list } = await stores.listDeleted({ ...versioned, params })
  const { body: one } = await stores.getDeleted({ ...versioned, params: at('KEPT-store') })
  expect(list.value).toEqual([one])
  expect(one).toMatchObject({
    name: 'kept-store',
    type: 'Vendor.AppConfiguration/locations/deletedConfigurationStores',
    properties: {
      configurationStoreId: expect.stringContaining('/configurationStores/kept-store'),
      location: 'westus',
      purgeProtectionEnabled: false,
    },
  })
  const { deletionDate = '', scheduledPurgeDate = '' } = one.properties
  expect(Date.parse(scheduledPurgeDate) - Date.parse(deletionDate)).toBe(2 * dayMs)

  await expect(stores.create({ ...versioned, params, body: plain() })).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'NameUnavailable', message: expect.stringContaining('createMode Recover') } },
  })
  const recover = { ...plain(), properties: { createMode: 'Recover' as const } }
  const elsewhere = { ...params, resourceGroupName: 'elsewhere' }
  await expect(stores.create({ ...versioned, params: elsewhere, body: recover })).rejects.toMatchObject({ status: 404 })
  expect((await stores.create({ ...versioned, params, body: recover })).status).toBe(201)
  await world.app.jobs.drain()
  expect((await stores.get({ ...versioned, params })).body.properties).toMatchObject({
    provisioningState: 'Succeeded',
    ...kept,
  })
  expect(await store.get('/kv/color'), 'by the same key').toMatchObject({ status: 200, body: { value: 'red' } })
  expect((await stores.listDeleted({ ...versioned, params })).body.value).toEqual([])
  await expect(stores.create({ ...versioned, params, body: recover })).rejects.toMatchObject({ status: 409 })
  const registered = await world.app.platform.database.many(sql`select name from icosa.resources`)
  expect(registered).toEqual([{ name: 'kept-store' }])
})

test('a deleted store can be purged, which frees its name', async () => {
  await using world = await startStores()
  const { manager, params } = await deleted(world, 'purged-store')
  const { stores } = manager
  const purge = () => stores.purgeDeleted({ ...versioned, params: at('purged-store') })
  expect((await purge()).status).toBe(202)
  await expect(purge(), 'once').rejects.toMatchObject({ status: 409 })
  const recover = { ...plain(), properties: { createMode: 'Recover' as const } }
  await expect(stores.create({ ...versioned, params, body: recover }), 'too late').rejects.toMatchObject({
    status: 409,
  })
  await world.app.jobs.drain()
  await expect(stores.getDeleted({ ...versioned, params: at('purged-store') })).rejects.toMatchObject({ status: 404 })
  await expect(purge()).rejects.toMatchObject({ status: 404 })
  expect(await rows(world)).toEqual([])
  expect((await stores.create({ ...versioned, params, body: plain() })).status).toBe(201)
})

test('a protected store cannot be purged by anybody before its time, and protection cannot be taken away', async () => {
  await using world = await startStores()
  const { manager } = await deleted(world, 'protected-store', { ...kept, enablePurgeProtection: true })
  const { stores } = manager
  const params = at('protected-store')
  const { body } = await stores.getDeleted({ ...versioned, params })
  expect(body.properties.purgeProtectionEnabled).toBe(true)
  await expect(stores.purgeDeleted({ ...versioned, params })).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'PurgeProtectionEnabled' } },
  })
  const another = await world.open('another-store', { properties: { ...kept, enablePurgeProtection: true } })
  const off = { properties: { enablePurgeProtection: false } }
  await expect(stores.update({ ...versioned, params: another.params, body: off })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('enablePurgeProtection') } },
  })
})

test('when its time is over a deleted store is purged by itself, protected or not, and no other', async () => {
  await using world = await startStores()
  await deleted(world, 'first-store', { ...kept, enablePurgeProtection: true })
  await world.app.clock.advance(dayMs)
  await deleted(world, 'second-store')
  await world.open('living-store', { properties: kept })
  await world.app.clock.advance(dayMs + 3_700_000)
  await expect
    .poll(async () => {
      await world.app.jobs.drain()
      return rows(world)
    })
    .toEqual([{ name: 'living-store' }, { name: 'second-store' }])
})

test('a client that knows soft delete has it for seven days unless it says otherwise; one that does not, has none', async () => {
  await using world = await startStores()
  const { stores } = await world.manager('acme')
  const create = async (name: string, sku: string, query: { 'api-version': string }) =>
    (await stores.create({ query, params: addressOf('acme', name), body: plain(sku) })).body.properties
  expect(await create('later-store', 'Standard', later.query)).toMatchObject({ softDeleteRetentionInDays: 7 })
  expect(await create('early-store', 'Standard', versioned.query)).not.toHaveProperty('softDeleteRetentionInDays')
  expect(await create('free-store', 'Free', later.query)).not.toHaveProperty('softDeleteRetentionInDays')
})

test.each([
  [{ ...plain('Free'), properties: kept }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { softDeleteRetentionInDays: 8 } }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { softDeleteRetentionInDays: 0 } }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { enablePurgeProtection: true } }, 'enablePurgeProtection'],
])('%j is refused', async (body, says) => {
  await using world = await startStores()
  const { stores } = await world.manager('acme')
  const created = stores.create({ ...versioned, params: addressOf('acme', 'wrong-store'), body })
  await expect(created).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(says) } },
  })
})

test('how long a store is kept is decided once', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('decided-store', { properties: kept })
  const body = { ...plain(), properties: { softDeleteRetentionInDays: 5 } }
  await expect(manager.stores.create({ ...versioned, params, body })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('softDeleteRetentionInDays') } },
  })
})

test('a deleted store is there for its tenant alone', async () => {
  await using world = await startStores()
  await deleted(world, 'acme-store')
  const { stores } = await world.manager('stranger')
  const params = at('acme-store')
  const own = { ...params, subscriptionId: 'sub-of-stranger' }
  for (const address of [params, own]) {
    await expect(stores.getDeleted({ ...versioned, params: address })).rejects.toMatchObject({ status: 404 })
    await expect(stores.purgeDeleted({ ...versioned, params: address })).rejects.toMatchObject({ status: 404 })
  }
  const recover = { ...plain(), properties: { createMode: 'Recover' as const } }
  const mine = addressOf('stranger', 'acme-store')
  await expect(stores.create({ ...versioned, params: mine, body: recover })).rejects.toMatchObject({ status: 404 })
  await expect(stores.create({ ...versioned, params: mine, body: plain() })).rejects.toMatchObject({
    status: 409,
    body: { error: { message: expect.not.stringContaining('deleted') } },
  })
  expect((await stores.listDeleted({ ...versioned, params: own })).body.value).toEqual([])
  expect(await rows(world)).toEqual([{ name: 'acme-store' }])
})
