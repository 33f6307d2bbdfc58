import { expect, test } from 'vitest'
import { addressOf, plain, startStores, versioned } from '../testing/app.ts'

test('unsupported features are refused by name, on creation and on change', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('plain-store')
  const isUnbuilt = (name: string) => ({
    status: 501,
    body: { error: { code: 'NotImplemented', message: expect.stringContaining(name) } },
  })
  const isUnknown = (name: string) => ({ status: 400, body: { error: { message: expect.stringContaining(name) } } })
  for (const [change, refusal] of [
    [{ properties: { encryption: { keyVaultProperties: { identityClientId: 'me' } } } }, isUnbuilt('identityClientId')],
    [{ identity: { type: 'SystemAssigned' } }, isUnbuilt('identity')],
    [{ identity: { userAssignedIdentities: { one: {} } } }, isUnbuilt('identity')],
    [{ properties: { dataPlaneProxy: { authenticationMode: 'Pass-through' } } }, isUnknown('dataPlaneProxy')],
    [{ zones: ['1'] }, isUnknown('zones')],
  ] as const) {
    await expect(manager.stores.update({ ...versioned, params, body: change as object })).rejects.toMatchObject(refusal)
    const creation = manager.stores.create({
      ...versioned,
      params: addressOf('acme', 'another-store'),
      body: { ...plain(), ...(change as object) },
    })
    await expect(creation).rejects.toMatchObject(refusal)
  }
  const patched = manager.stores.update({
    ...versioned,
    params,
    body: { properties: { softDeleteRetentionInDays: 3 } as object },
  })
  await expect(patched).rejects.toMatchObject(isUnknown('softDeleteRetentionInDays'))
})

test('a client may send back what it has read, and explicit empty values', async () => {
  await using world = await startStores()
  const { params, manager } = await world.open('read-and-sent')
  const { body } = await manager.stores.get({ ...versioned, params })
  expect((await manager.stores.create({ ...versioned, params, body })).status).toBe(200)
  const none = { identity: { type: 'None' as const }, properties: { encryption: { keyVaultProperties: null } } }
  expect((await manager.stores.update({ ...versioned, params, body: none })).status).toBe(200)
})
