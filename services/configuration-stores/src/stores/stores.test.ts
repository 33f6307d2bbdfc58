import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { originalNamespace } from '../names.ts'
import { addressOf, plain, startStores, versioned } from '../testing/app.ts'

const poll = async (address: string | null, authorization: string) => {
  const response = await fetch(String(address), { headers: { authorization } })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

test('a store is created in the background, read in any letter case, changed, listed and deleted', async () => {
  await using world = await startStores()
  const { stores, authorization } = await world.manager('acme')
  const params = addressOf('acme', 'My-Store', 'Group')

  const body = { ...plain('free'), tags: { team: 'web' } }
  const created = await stores.create({ ...versioned, params, body })
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'My-Store', sku: { name: 'Free' }, properties: { provisioningState: 'Creating' } },
  })
  const operation = created.headers.get('azure-asyncoperation')
  expect(await poll(operation, authorization)).toMatchObject({ body: { status: 'InProgress' } })
  expect(await poll(created.headers.get('location'), authorization)).toMatchObject({ status: 202 })
  expect((await stores.listKeys({ ...versioned, params })).body.value).toEqual([])
  await expect(stores.update({ ...versioned, params, body: { tags: {} } })).rejects.toMatchObject({ status: 409 })

  await world.app.jobs.drain()
  expect(await poll(operation, authorization)).toMatchObject({ body: { status: 'Succeeded' } })
  const stored = await stores.get({ ...versioned, params: addressOf('ACME', 'my-store', 'GROUP') })
  expect(stored.body).toMatchObject({
    id: '/subscriptions/sub-of-acme/resourceGroups/Group/providers/Vendor.AppConfiguration/configurationStores/My-Store',
    type: 'Vendor.AppConfiguration/configurationStores',
    location: 'westus',
    tags: { team: 'web' },
    properties: { provisioningState: 'Succeeded', endpoint: expect.stringMatching(/\/stores\/my-store$/) },
  })
  const result = await poll(created.headers.get('location'), authorization)
  expect(result, 'the result of the operation is the store').toEqual({ status: 200, body: stored.body })

  const repeated = await stores.create({ ...versioned, params, body })
  expect(repeated, 'repeating a PUT does nothing').toMatchObject({ status: 200, body: stored.body })
  expect(repeated.headers.get('azure-asyncoperation')).toBeNull()

  const tagged = await stores.update({ ...versioned, params, body: { tags: { team: 'app' } } })
  expect(tagged).toMatchObject({ status: 200, body: { tags: { team: 'app' } } })
  const upgraded = await stores.update({ ...versioned, params, body: { sku: { name: 'Standard' } } })
  expect(upgraded).toMatchObject({ status: 201, body: { properties: { provisioningState: 'Updating' } } })
  await world.app.jobs.drain()
  expect((await poll(upgraded.headers.get('location'), authorization)).body).toMatchObject({
    tags: { team: 'app' },
    sku: { name: 'Standard' },
    properties: { provisioningState: 'Succeeded' },
  })
  await expect(stores.update({ ...versioned, params, body: { sku: { name: 'Free' } } })).rejects.toMatchObject({
    status: 400,
    body: { error: { code: 'SkuDowngradeNotSupported' } },
  })
  await expect(
    stores.create({ ...versioned, params, body: { ...plain(), location: 'eastus' } }),
    'a store cannot be moved',
  ).rejects.toMatchObject({ status: 409, body: { error: { code: 'InvalidResourceLocation' } } })

  const deleted = await stores.delete({ ...versioned, params })
  expect(deleted.status).toBe(202)
  expect((await stores.get({ ...versioned, params })).body.properties?.provisioningState).toBe('Deleting')
  await world.app.jobs.drain()
  expect(await poll(deleted.headers.get('azure-asyncoperation'), authorization)).toMatchObject({
    body: { status: 'Succeeded' },
  })
  await expect(stores.get({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
  expect((await stores.delete({ ...versioned, params })).status).toBe(204)
  expect((await stores.create({ ...versioned, params, body })).status, 'the name is free again').toBe(201)
})

test('of fifty concurrent creations of one name, by several tenants, one succeeds', async () => {
  await using world = await startStores()
  const tenants = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((tenant) => world.manager(tenant)))
  const names = ['one', 'two', 'three', 'four', 'five']
  const attempts = Array.from({ length: 50 }, async (_, index) => {
    const params = addressOf(names[index % 5] as string, index % 2 ? 'contested' : 'CONTESTED', `group-${index % 3}`)
    return (tenants[index % 5] as (typeof tenants)[0]).stores
      .create({ ...versioned, params, body: plain() })
      .catch((error) => error)
  })
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  await world.app.jobs.drain()
  expect(await world.app.platform.database.many(sql`select 1 from configuration_stores.access_keys`)).toHaveLength(4)
})

test('the availability of a name can be checked in either spelling', async () => {
  await using world = await startStores()
  await world.open('used-name')
  const { stores } = await world.manager('other')
  const check = async (name: string, type = 'Vendor.AppConfiguration/configurationStores') => {
    const params = { subscriptionId: 'sub-of-other' }
    return (await stores.checkNameAvailability({ ...versioned, params, body: { name, type } })).body
  }
  expect(await check('Used-Name')).toMatchObject({ nameAvailable: false, reason: 'AlreadyExists' })
  expect(await check('free-name', `${originalNamespace}/configurationStores`)).toEqual({ nameAvailable: true })
  for (const invalid of ['four', 'x'.repeat(51), 'with space', 'dotted.name'])
    expect(await check(invalid)).toMatchObject({ nameAvailable: false, reason: 'Invalid' })
  await expect(check('free-name', 'Other.AppConfiguration/configurationStores')).rejects.toMatchObject({ status: 400 })
  await expect(
    stores.create({ ...versioned, params: addressOf('other', 'four'), body: plain() }),
  ).rejects.toMatchObject({ status: 400 })
})

test('lists are paged, by group or subscription, in the spelling of the caller', async () => {
  await using world = await startStores()
  const { stores, authorization } = await world.manager('acme')
  const names = Array.from({ length: 130 }, (_, index) => `store-${String(index).padStart(3, '0')}`)
  for (const [index, name] of names.entries())
    await stores.create({ ...versioned, params: addressOf('acme', name, index < 110 ? 'Big' : 'Small'), body: plain() })

  const { body: first } = await stores.list({ ...versioned, params: { subscriptionId: 'SUB-OF-ACME' } })
  expect(first.value).toHaveLength(100)
  const second = (await poll(String(first.nextLink), authorization)).body
  expect([...first.value, ...second.value].map(({ name }) => name)).toEqual(names)
  expect(second.nextLink).toBeUndefined()

  const small = { subscriptionId: 'sub-of-acme', resourceGroupName: 'SMALL' }
  const { body: group } = await stores.listByResourceGroup({ ...versioned, params: small })
  expect(group.value.map(({ name }) => name)).toEqual(names.slice(110))

  const path = `/subscriptions/sub-of-acme/providers/${originalNamespace}/configurationStores?api-version=2022-05-01`
  const original = (await poll(`${world.app.url}/configuration-stores${path}`, authorization)).body
  expect(original.value[0].type).toBe(`${originalNamespace}/configurationStores`)
  expect(original.nextLink).toContain(originalNamespace)

  const token = new URL(String(first.nextLink)).searchParams.get('$skipToken') ?? ''
  await expect(
    stores.listByResourceGroup({ query: { ...versioned.query, $skipToken: token }, params: small }),
  ).rejects.toMatchObject({ status: 400 })
})

test('a store and its subscription are visible to their tenant only', async () => {
  await using world = await startStores()
  await world.open('acme-store')
  const { stores } = await world.manager('outsider')
  const params = addressOf('acme', 'acme-store')
  const { subscriptionId } = params
  const notFound = { status: 404, body: { error: { code: 'SubscriptionNotFound' } } }
  await expect(stores.list({ ...versioned, params: { subscriptionId } })).rejects.toMatchObject(notFound)
  await expect(stores.delete({ ...versioned, params })).rejects.toMatchObject(notFound)
  await expect(
    stores.create({ ...versioned, params: addressOf('acme', 'another'), body: plain() }),
  ).rejects.toMatchObject(notFound)
  await expect(stores.listKeys({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
  expect((await stores.list({ ...versioned, params: { subscriptionId: 'fresh' } })).body.value).toEqual([])
})

test('a store is in the registry until it is deleted', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('registered-store')
  const registered = () => world.app.platform.database.many(sql`select name, type, tags from icosa.resources`)
  await manager.stores.update({ ...versioned, params, body: { tags: { team: 'web' } } })
  expect(await registered()).toEqual([
    { name: 'registered-store', type: 'Vendor.AppConfiguration/configurationStores', tags: { team: 'web' } },
  ])
  await manager.stores.delete({ ...versioned, params })
  await world.app.jobs.drain()
  expect(await registered()).toEqual([])
})
