import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skuName } from '../names.ts'
import { type HsmApp, paramsOf, plain, startModules, versioned } from '../testing/app.ts'

let world: HsmApp
beforeAll(async () => {
  world = await startModules({ modules: 6 })
})
afterAll(() => world[Symbol.asyncDispose]())

test('a module is provisioned, changed, listed and zeroised', async () => {
  const manager = await world.manager('lifecycle')
  const params = paramsOf('lifecycle', 'Vault-1')
  const properties = {
    stampId: 'stamp1',
    networkProfile: { subnet: { id: '/sub/net' }, networkInterfaces: [{ privateIpAddress: '10.0.0.4' }] },
  }
  const body = { ...plain, properties, tags: { a: 'b' }, zones: ['1'] }
  const created = await manager.createOrUpdate({ ...versioned, params, body })
  expect(created).toMatchObject({
    status: 201,
    body: { properties: { ...properties, provisioningState: 'Provisioning' } },
  })
  expect(created.headers.get('azure-asyncoperation')).toContain('/operationStatuses/')
  await world.app.jobs.drain()

  const expected = { name: 'Vault-1', location: 'westus', sku: { name: skuName }, tags: { a: 'b' }, zones: ['1'] }
  const module = (await manager.get({ ...versioned, params: { ...params, name: 'VAULT-1' } })).body
  expect(module).toMatchObject({ ...expected, properties: { ...properties, provisioningState: 'Succeeded' } })
  expect(module.properties.statusMessage).toBe('The module is functional.')
  expect(await manager.createOrUpdate({ ...versioned, params, body })).toMatchObject({ status: 200, body: module })
  const moved = manager.createOrUpdate({ ...versioned, params, body: { ...body, location: 'elsewhere' } })
  await expect(moved).rejects.toMatchObject({ status: 409 })

  const patched = await manager.update({ ...versioned, params, body: { tags: { c: 'd' } } })
  expect(patched).toMatchObject({ status: 200, body: { tags: { c: 'd' }, zones: ['1'], properties } })

  expect(await manager.delete({ ...versioned, params })).toMatchObject({ status: 202 })
  expect((await manager.get({ ...versioned, params })).body.properties.provisioningState).toBe('Deleting')
  await world.app.jobs.drain()
  await expect(manager.get({ ...versioned, params })).rejects.toMatchObject({ status: 404 })
  expect(await manager.delete({ ...versioned, params })).toMatchObject({ status: 204 })
})

test('a module can be deleted before and while its token is created', async () => {
  await using world = await startModules()
  const manager = await world.manager()
  for (const waitMs of [undefined, 0, 20, 60]) {
    const request = { ...versioned, params: paramsOf('acme', `brief-${waitMs}`) }
    await manager.createOrUpdate({ ...request, body: plain })
    const drained = waitMs === undefined ? undefined : world.app.jobs.drain()
    if (waitMs !== undefined) await sleep(waitMs)
    expect((await manager.delete(request)).status).toBe(202)
    await drained
    await world.app.jobs.drain()
    await expect(manager.get(request)).rejects.toMatchObject({ status: 404 })
  }
  expect(readdirSync(world.folder)).toEqual([])
})

test('modules are listed by group or subscription, limited by $top', async () => {
  const manager = await world.manager('listing')
  const names = ['one', 'two', 'three', 'four']
  for (const name of names)
    await manager.createOrUpdate({ ...versioned, params: paramsOf('listing', name), body: plain })
  await world.app.jobs.drain()
  const { subscriptionId, resourceGroupName } = paramsOf('listing', '')
  const list = async ($top?: number) => {
    const query = { ...versioned.query, ...($top && { $top }) }
    const { body } = await manager.listBySubscription({ params: { subscriptionId }, query })
    return { names: body.value.map(({ name }) => name), nextLink: body.nextLink }
  }
  expect(await list()).toEqual({ names: names.toSorted(), nextLink: undefined })
  expect(await list(2)).toEqual({ names: ['four', 'one'], nextLink: undefined })
  expect((await list(9)).names).toHaveLength(4)
  const group = await manager.listByResourceGroup({ params: { subscriptionId, resourceGroupName }, ...versioned })
  expect(group.body.value).toHaveLength(4)
  const none = await manager.listByResourceGroup({
    params: { subscriptionId, resourceGroupName: 'none' },
    ...versioned,
  })
  expect(none.body.value).toEqual([])
})

test('a tenant cannot exceed its quota by concurrent creations', async () => {
  const manager = await world.manager('greedy')
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      manager
        .createOrUpdate({ ...versioned, params: paramsOf('greedy', `number-${index}`), body: plain })
        .catch((error) => error),
    ),
  )
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(6)
  const refused = responses.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(6)
  expect(refused[0].body.error).toMatchObject({ code: 'QuotaExceeded' })
  await world.app.jobs.drain()
})

test('unsupported properties are refused by name', async () => {
  const manager = await world.manager('refused')
  const params = paramsOf('refused', 'refused')
  const put = (body: object) => manager.createOrUpdate({ ...versioned, params, body: body as never })
  const pay = { ...plain, sku: { name: 'payShield10K_LMK1_CPS60' } }
  await expect(put(pay)).rejects.toMatchObject({ status: 501 })
  const managed = { ...plain, properties: { managementNetworkProfile: { subnet: { id: '/x' } } } }
  await expect(put(managed)).rejects.toMatchObject({ status: 501 })
  await expect(put({ ...plain, properties: { highAvailability: true } })).rejects.toMatchObject({ status: 400 })
  await expect(put({ ...plain, plan: 'x' })).rejects.toMatchObject({ status: 400 })
  const patched = manager.update({ ...versioned, params, body: { tags: {}, properties: { stampId: 'x' } } as never })
  const target = 'body/properties'
  await expect(patched).rejects.toMatchObject({ status: 400, body: { error: { details: [{ target }] } } })
})
