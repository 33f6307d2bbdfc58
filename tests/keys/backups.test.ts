import { client } from '@icosa/client'
import { keyValues, revisions, snapshots, stores } from '@icosa/configuration-stores/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Everything, IamRoleArn, startEverything, tenant } from '../backups/support.ts'
import { openModule } from './support.ts'

let world: Everything
beforeAll(async () => {
  world = await startEverything(['configuration-stores', 'hardware-security-modules'])
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const query = { 'api-version': '2019-11-01-preview' }
const data = { 'api-version': '1.0' }

test('a store encrypted with a key is restored without that key, even after the key was deleted', async () => {
  const { app, calls, ownerOf } = world
  const owner = await ownerOf('configuration-stores')
  const module = await openModule(app, 'backed-up', tenant)
  const keyIdentifier = await module.make('one')
  const at = (configStoreName: string) => ({
    params: { subscriptionId: `sub-of-${tenant}`, resourceGroupName: 'shop', configStoreName },
    query,
  })
  const encryption = { keyVaultProperties: { keyIdentifier } }
  const manager = client(stores, owner)
  await manager.create({
    ...at('settings'),
    body: { location: 'westus', sku: { name: 'Standard' }, properties: { encryption } },
  })
  await app.jobs.drain()
  const [own, past, taken] = [client(keyValues, owner), client(revisions, owner), client(snapshots, owner)]
  for (const value of ['red', 'blue', '', null])
    await own.put({
      params: { configStoreName: 'settings', key: 'colour' },
      query: data,
      body: { value, content_type: 'a' },
    })
  await taken.create({
    params: { configStoreName: 'settings', name: 'now' },
    query: data,
    body: { filters: [{ key: '*' }] },
  })
  await app.jobs.drain()
  const see = async (configStoreName: string) => ({
    now: (await own.list({ params: { configStoreName }, query: data })).body?.items,
    past: (await past.list({ params: { configStoreName }, query: data })).body?.items,
    copied: (await own.list({ params: { configStoreName }, query: { ...data, snapshot: 'now' } })).body?.items,
  })
  const asItWas = await see('settings')
  expect(asItWas.past).toHaveLength(4)

  const { subscriptionId } = at('settings').params
  const ResourceArn = `/subscriptions/${subscriptionId}/resourceGroups/shop/providers/Vendor.AppConfiguration/configurationStores/settings`
  await calls.CreateBackupVault({ params: { backupVaultName: 'stores' }, body: {} })
  const { body } = await calls.StartBackupJob({ body: { BackupVaultName: 'stores', ResourceArn, IamRoleArn } })
  await app.jobs.drain()
  await module.remove('one')
  const restoring = { RecoveryPointArn: body.RecoveryPointArn, Metadata: { configStoreName: 'restored' } }
  const { RestoreJobId } = (await calls.StartRestoreJob({ body: restoring })).body
  await app.jobs.drain()
  const restored = (await calls.DescribeRestoreJob({ params: { restoreJobId: RestoreJobId } })).body
  expect(restored).toMatchObject({ Status: 'COMPLETED' })
  expect((await manager.get(at('restored'))).body.properties?.encryption).toBeUndefined()
  expect(await see('restored')).toEqual(asItWas)
})
