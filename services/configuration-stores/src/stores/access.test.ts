import { expect, test } from 'vitest'
import { office, receiveWith, startStores, versioned } from '../testing/app.ts'

test('without local authentication access keys are refused, until it is enabled again', async () => {
  await using world = await startStores()
  const store = await world.open('tokens-only')
  const { params, manager } = store
  expect((await store.put('/kv/color', { value: 'red' })).status).toBe(200)

  const patch = async (disableLocalAuth: boolean) => {
    const { body } = await manager.stores.update({ ...versioned, params, body: { properties: { disableLocalAuth } } })
    await world.app.jobs.drain()
    return body.properties
  }
  expect(await patch(true)).toMatchObject({ disableLocalAuth: true })
  for (const response of [await store.get('/kv/color'), await store.put('/kv/color', { value: 'blue' })])
    expect(response).toMatchObject({ status: 403, body: { detail: expect.stringContaining('disableLocalAuth') } })
  const byToken = await receiveWith(manager, world.endpointOf('tokens-only'), '/kv/color')
  expect(byToken).toMatchObject({ status: 200, body: { value: 'red' } })

  expect(await patch(false)).toMatchObject({ disableLocalAuth: false })
  expect((await store.get('/kv/color')).status).toBe(200)
})

test('a PUT that omits access settings keeps them', async () => {
  await using world = await startStores()
  const { manager, params } = await world.open('stays-closed', {
    properties: { disableLocalAuth: true, publicNetworkAccess: 'Disabled' },
  })
  const body = { location: 'westus', sku: { name: 'Standard' } }
  expect((await manager.stores.create({ ...versioned, params, body })).body.properties).toMatchObject({
    disableLocalAuth: true,
    publicNetworkAccess: 'Disabled',
  })
})

test('a store without public access is open only to approved private endpoint connections', async () => {
  await using world = await startStores()
  const store = await world.open('behind-walls')
  const { params, manager } = store
  await store.put('/kv/color', { value: 'red' })
  const connect = (id: string, status: 'Approved' | 'Rejected' | 'Pending', privateEndpointConnectionName: string) =>
    manager.connections.createOrUpdate({
      ...versioned,
      params: { ...params, privateEndpointConnectionName },
      body: { properties: { privateEndpoint: { id }, privateLinkServiceConnectionState: { status } } },
    })
  await connect(office.elsewhere, 'Approved', 'elsewhere')
  await connect(office.here.toUpperCase(), 'Pending', 'office')
  expect((await store.get('/kv/color')).status, 'access is public').toBe(200)

  const properties = { publicNetworkAccess: 'Disabled' as const }
  await manager.stores.update({ ...versioned, params, body: { properties } })
  await world.app.jobs.drain()
  const refusal = { status: 403, body: { detail: expect.stringContaining('publicNetworkAccess') } }
  expect(await store.get('/kv/color'), 'pending, and from another network').toMatchObject(refusal)
  expect(await receiveWith(manager, world.endpointOf('behind-walls'), '/kv/color')).toMatchObject(refusal)
  const reading = manager.stores.listKeyValue({ ...versioned, params, body: { key: 'color' } })
  await expect(reading, 'nor through the management API').rejects.toMatchObject({ status: 403 })

  await connect(office.here, 'Approved', 'office')
  expect(await store.get('/kv/color')).toMatchObject({ status: 200, body: { value: 'red' } })
  await connect(office.here, 'Rejected', 'office')
  expect(await store.get('/kv/color')).toMatchObject(refusal)

  await connect(office.here, 'Approved', 'another')
  expect((await store.get('/kv/color')).status).toBe(200)
  await manager.connections.delete({ ...versioned, params: { ...params, privateEndpointConnectionName: 'another' } })
  expect(await store.get('/kv/color')).toMatchObject(refusal)
})

test('an endpoint without networks cannot be approved, and the endpoint of a connection is immutable', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('no-such-door')
  const put = (id: string | undefined, status: 'Approved' | 'Pending') =>
    manager.connections.createOrUpdate({
      ...versioned,
      params: { ...params, privateEndpointConnectionName: 'door' },
      body: { properties: { ...(id && { privateEndpoint: { id } }), privateLinkServiceConnectionState: { status } } },
    })
  const refusal = (text: string) => ({ status: 400, body: { error: { message: expect.stringContaining(text) } } })
  await expect(put(undefined, 'Approved')).rejects.toMatchObject(refusal('privateEndpoint/id is required'))
  await expect(put('/nowhere', 'Approved')).rejects.toMatchObject(refusal('ICOSA_CONFIGURATION_PRIVATE_ENDPOINTS'))
  expect((await put('/nowhere', 'Pending')).status).toBe(201)
  await expect(put(office.here, 'Approved')).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'PrivateEndpointCannotChange' } },
  })
})
