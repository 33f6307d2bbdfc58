import { client } from '@icosa/client'
import { accessKeys, keyValues, revisions, snapshots, stores } from '@icosa/configuration-stores/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Everything, IamRoleArn, startEverything } from './support.ts'

// Other tests compare the content of backup streams; this one, the caller's view of a store under writes.
let world: Everything
beforeAll(async () => {
  world = await startEverything(['configuration-stores'])
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const query = { 'api-version': '2019-11-01-preview' }
const data = { 'api-version': '1.0' }

test('a backup of a store under writes restores a consistent snapshot with the same access keys', async () => {
  const { app, calls, ownerOf } = world
  const owner = await ownerOf('configuration-stores')
  const at = (configStoreName: string) => ({
    params: { subscriptionId: 'main', resourceGroupName: 'shop', configStoreName },
    query,
  })
  const manager = client({ ...stores, ...accessKeys }, owner)
  await manager.create({ ...at('settings'), body: { location: 'westus', sku: { name: 'Standard' } } })
  await app.jobs.drain()
  const [own, past, taken] = [client(keyValues, owner), client(revisions, owner), client(snapshots, owner)]
  const put = (key: string, value: string, label?: string) =>
    own.put({
      params: { configStoreName: 'settings', key },
      query: { ...data, ...(label !== undefined && { label }) },
      body: { value, tags: { of: 'test' }, content_type: 'text/plain' },
    })
  await put('colour', 'red')
  await put('colour', 'blue')
  await put('colour', 'grün "é"', 'test')
  await taken.create({
    params: { configStoreName: 'settings', name: 'release' },
    query: data,
    body: { filters: [{ key: '*' }] },
  })
  await app.jobs.drain()

  const id = '/subscriptions/main/resourceGroups/shop/providers/Vendor.AppConfiguration/configurationStores/settings'
  await calls.CreateBackupVault({ params: { backupVaultName: 'stores' }, body: {} })
  const { body } = await calls.StartBackupJob({ body: { BackupVaultName: 'stores', ResourceArn: id, IamRoleArn } })
  let isWriting = true
  let written = 0
  const writing = (async () => {
    while (isWriting) await put(`n${String(written++).padStart(6, '0')}`, 'x')
  })()
  await app.jobs.drain()
  isWriting = false
  await writing
  const restoring = { RecoveryPointArn: body.RecoveryPointArn, Metadata: { configStoreName: 'restored' } }
  const { RestoreJobId } = (await calls.StartRestoreJob({ body: restoring })).body
  await app.jobs.drain()
  const restored = (await calls.DescribeRestoreJob({ params: { restoreJobId: RestoreJobId } })).body
  expect(restored).toMatchObject({ Status: 'COMPLETED' })

  const see = async (configStoreName: string, key: string) => {
    const request = { params: { configStoreName }, query: { ...data, key } }
    const inSnapshot = { params: { configStoreName }, query: { ...data, snapshot: 'release' } }
    return {
      keyValues: (await own.list(request)).body?.items ?? [],
      revisions: (await past.list(request)).body?.items ?? [],
      snapshot: (await own.list(inSnapshot)).body?.items ?? [],
    }
  }
  const before = await see('settings', 'colour')
  expect(before.keyValues).toHaveLength(2)
  expect(before.revisions).toHaveLength(3)
  expect(before.snapshot).toHaveLength(1) // per key, only the value without a label
  expect(await see('restored', 'colour')).toEqual(before)
  const { keyValues: numbers } = await see('restored', 'n*')
  // They were written one after the other: a consistent snapshot has no gap.
  expect(numbers.map(({ key }) => key)).toEqual(numbers.map((_, index) => `n${String(index).padStart(6, '0')}`))
  const keysOf = async (name: string) => (await manager.listKeys(at(name))).body.value
  expect(await keysOf('restored')).toMatchObject(
    (await keysOf('settings'))?.map(({ id: key, value, name }) => ({ id: key, value, name })) ?? [],
  )
}, 120_000)
