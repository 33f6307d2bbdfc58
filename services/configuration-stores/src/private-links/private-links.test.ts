import { expect, test } from 'vitest'
import { startStores, versioned } from '../testing/app.ts'
import type { ConnectionStatus } from './contract.ts'

test('a private endpoint connection changes state until it is disconnected', async () => {
  await using world = await startStores()
  const { params: store, manager } = await world.open('linked-store')
  const params = { ...store, privateEndpointConnectionName: 'From-Office' }
  const put = (status?: ConnectionStatus, description?: string) =>
    manager.connections.createOrUpdate({
      ...versioned,
      params,
      body: {
        properties: {
          privateEndpoint: { id: '/subscriptions/s/privateEndpoints/office' },
          privateLinkServiceConnectionState: { ...(status && { status }), ...(description && { description }) },
        },
      },
    })
  const connectionWith = (status: ConnectionStatus, actionsRequired = 'None') => ({
    name: 'From-Office',
    properties: { provisioningState: 'Succeeded', privateLinkServiceConnectionState: { status, actionsRequired } },
  })

  expect(await put()).toMatchObject({ status: 201, body: connectionWith('Pending') })
  await expect(put('Disconnected')).rejects.toMatchObject({ status: 409 })
  const approved = await put('Approved', 'welcome')
  expect(approved).toMatchObject({ status: 200, body: connectionWith('Approved') })
  expect(approved.body.properties?.privateLinkServiceConnectionState.description).toBe('welcome')
  await expect(put('Pending')).rejects.toMatchObject({ status: 409 })
  expect(await put('Disconnected')).toMatchObject({ status: 200, body: connectionWith('Disconnected', 'Recreate') })
  await expect(put('Approved')).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'InvalidConnectionState' } },
  })

  const lower = { ...params, privateEndpointConnectionName: 'from-office' }
  expect((await manager.connections.get({ ...versioned, params: lower })).body.name).toBe('From-Office')
  const { body: all } = await manager.connections.listByConfigurationStore({ ...versioned, params: store })
  expect(all.value).toHaveLength(1)
  expect((await manager.connections.delete({ ...versioned, params })).status).toBe(200)
  expect((await manager.connections.delete({ ...versioned, params })).status).toBe(204)
  await expect(manager.connections.get({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
})

test('a store has one link resource', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('linked-store')
  const { body: all } = await manager.links.listByConfigurationStore({ ...versioned, params })
  const linkResource = await manager.links.get({
    ...versioned,
    params: { ...params, groupName: 'configurationStores' },
  })
  expect(all.value).toEqual([linkResource.body])
  expect(linkResource.body.properties.groupId).toBe('configurationStores')
  await expect(manager.links.get({ ...versioned, params: { ...params, groupName: 'else' } })).rejects.toMatchObject({
    status: 404,
  })
})
