import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { addressOf, later, plain, type StoresApp, startStores, versioned } from '../testing/app.ts'

const dayMs = 86_400_000
const retention = { softDeleteRetentionInDays: 2 }
const at = (configStoreName: string) => ({ subscriptionId: 'sub-of-acme', location: 'West US', configStoreName })
const rows = ({ app }: StoresApp) =>
  app.platform.database.many(sql`select name from configuration_stores.stores order by name`)

/** Creates a store with a key-value, and deletes it. */
async function openAndDelete(world: StoresApp, name: string, properties: object = retention) {
  const store = await world.open(name, { properties })
  await store.put('/kv/color', { value: 'red' })
  const { status } = await store.manager.stores.delete({ ...versioned, params: store.params })
  expect(status).toBe(202)
  await world.app.jobs.drain()
  return store
}

test('a deleted store is listed and read, has no access, and is recovered with its contents', async () => {
  await using world = await startStores()
  const store = await openAndDelete(world, 'kept-store')
  const { params, manager } = store
  const { stores } = manager
  await expect(stores.get({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
  expect((await stores.list({ ...versioned, params })).body.value).toEqual([])
  expect((await store.get('/kv/color')).status, 'its keys are refused').toBe(401)

  const { body: list } = await stores.listDeleted({ ...versioned, params })
  const { body: deleted } = await stores.getDeleted({ ...versioned, params: at('KEPT-store') })
  expect(list.value).toEqual([deleted])
  expect(deleted).toMatchObject({
    name: 'kept-store',
    type: 'Vendor.AppConfiguration/locations/deletedConfigurationStores',
    properties: {
      configurationStoreId: expect.stringContaining('/configurationStores/kept-store'),
      location: 'westus',
      purgeProtectionEnabled: false,
    },
  })
  const { deletionDate = '', scheduledPurgeDate = '' } = deleted.properties
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
    ...retention,
  })
  expect(await store.get('/kv/color'), 'with the same key').toMatchObject({ status: 200, body: { value: 'red' } })
  expect((await stores.listDeleted({ ...versioned, params })).body.value).toEqual([])
  await expect(stores.create({ ...versioned, params, body: recover })).rejects.toMatchObject({ status: 409 })
  const registered = await world.app.platform.database.many(sql`select name from icosa.resources`)
  expect(registered).toEqual([{ name: 'kept-store' }])
})

test('a deleted store can be purged, which frees its name', async () => {
  await using world = await startStores()
  const { manager, params } = await openAndDelete(world, 'purged-store')
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

test('a protected store cannot be purged before its retention ends, and protection cannot be disabled', async () => {
  await using world = await startStores()
  const { manager } = await openAndDelete(world, 'protected-store', { ...retention, enablePurgeProtection: true })
  const { stores } = manager
  const params = at('protected-store')
  const { body } = await stores.getDeleted({ ...versioned, params })
  expect(body.properties.purgeProtectionEnabled).toBe(true)
  await expect(stores.purgeDeleted({ ...versioned, params })).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'PurgeProtectionEnabled' } },
  })
  const another = await world.open('another-store', { properties: { ...retention, enablePurgeProtection: true } })
  const off = { properties: { enablePurgeProtection: false } }
  await expect(stores.update({ ...versioned, params: another.params, body: off })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('enablePurgeProtection') } },
  })
})

test('expired deleted stores are purged automatically, protected or not, and no others', async () => {
  await using world = await startStores()
  await openAndDelete(world, 'first-store', { ...retention, enablePurgeProtection: true })
  await world.app.clock.advance(dayMs)
  await openAndDelete(world, 'second-store')
  await world.open('living-store', { properties: retention })
  await world.app.clock.advance(dayMs + 3_700_000)
  await expect
    .poll(async () => {
      await world.app.jobs.drain()
      return rows(world)
    })
    .toEqual([{ name: 'living-store' }, { name: 'second-store' }])
})

test('the default retention is seven days in versions with soft delete, and none in others', async () => {
  await using world = await startStores()
  const { stores } = await world.manager('acme')
  const create = async (name: string, sku: string, query: { 'api-version': string }) =>
    (await stores.create({ query, params: addressOf('acme', name), body: plain(sku) })).body.properties
  expect(await create('later-store', 'Standard', later.query)).toMatchObject({ softDeleteRetentionInDays: 7 })
  expect(await create('early-store', 'Standard', versioned.query)).not.toHaveProperty('softDeleteRetentionInDays')
  expect(await create('free-store', 'Free', later.query)).not.toHaveProperty('softDeleteRetentionInDays')
})

test.each([
  [{ ...plain('Free'), properties: retention }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { softDeleteRetentionInDays: 8 } }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { softDeleteRetentionInDays: 0 } }, 'softDeleteRetentionInDays'],
  [{ ...plain(), properties: { enablePurgeProtection: true } }, 'enablePurgeProtection'],
])('%j is refused', async (body, message) => {
  await using world = await startStores()
  const { stores } = await world.manager('acme')
  const created = stores.create({ ...versioned, params: addressOf('acme', 'wrong-store'), body })
  await expect(created).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(message) } },
  })
})

test('the retention of a store is immutable', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('decided-store', { properties: retention })
  const body = { ...plain(), properties: { softDeleteRetentionInDays: 5 } }
  await expect(manager.stores.create({ ...versioned, params, body })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('softDeleteRetentionInDays') } },
  })
})

test('a deleted store is visible to its tenant only', async () => {
  await using world = await startStores()
  await openAndDelete(world, 'acme-store')
  const { stores } = await world.manager('outsider')
  const params = at('acme-store')
  const own = { ...params, subscriptionId: 'sub-of-outsider' }
  for (const address of [params, own]) {
    await expect(stores.getDeleted({ ...versioned, params: address })).rejects.toMatchObject({ status: 404 })
    await expect(stores.purgeDeleted({ ...versioned, params: address })).rejects.toMatchObject({ status: 404 })
  }
  const recover = { ...plain(), properties: { createMode: 'Recover' as const } }
  const mine = addressOf('outsider', 'acme-store')
  await expect(stores.create({ ...versioned, params: mine, body: recover })).rejects.toMatchObject({ status: 404 })
  await expect(stores.create({ ...versioned, params: mine, body: plain() })).rejects.toMatchObject({
    status: 409,
    body: { error: { message: expect.not.stringContaining('deleted') } },
  })
  expect((await stores.listDeleted({ ...versioned, params: own })).body.value).toEqual([])
  expect(await rows(world)).toEqual([{ name: 'acme-store' }])
})
