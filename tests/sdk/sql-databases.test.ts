import { SqlManagementClient } from '@azure/arm-sql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropPhysical, testService } from '../../services/sql-databases/src/testing/app.ts'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

let platform: SdkPlatform

beforeAll(async () => {
  platform = await startSdkPlatform(() => [testService()])
})
afterAll(async () => {
  await dropPhysical(platform.app.platform.database)
  await platform[Symbol.asyncDispose]()
})

const server = ['group', 'eu-1'] as const

test('@azure/arm-sql 7.0.2 creates, scales, pauses, resumes, renames, copies, lists and deletes', async () => {
  const { credential, url } = platform
  // It takes any object with getToken; its type knows only the older kind.
  const { databases } = new SqlManagementClient(credential as never, 'sub-1', {
    baseUri: `${url}/sql-databases`,
    longRunningOperationRetryTimeout: 0, // its own default of 30 s beats our Retry-After
  })
  const created = await databases.createOrUpdate(...server, 'orders', {
    location: 'westeurope',
    sku: { name: 'S0', tier: 'Standard' },
    maxSizeBytes: 1024 ** 3,
    tags: { team: 'shop' },
  })
  expect(created).toMatchObject({
    id: '/subscriptions/sub-1/resourceGroups/group/providers/Microsoft.Sql/servers/eu-1/databases/orders',
    type: 'Microsoft.Sql/servers/databases',
    status: 'Online',
    currentServiceObjectiveName: 'S0',
    maxSizeBytes: 1024 ** 3,
  })
  expect(created.creationDate).toBeInstanceOf(Date)
  expect(await databases.update(...server, 'orders', { sku: { name: 'S1' } })).toMatchObject({
    status: 'Online',
    currentServiceObjectiveName: 'S1',
  })
  await databases.pause(...server, 'orders')
  expect(await databases.get(...server, 'orders')).toMatchObject({ status: 'Paused' })
  await databases.resume(...server, 'orders')
  expect(await databases.get(...server, 'orders')).toMatchObject({ status: 'Online' })
  await databases.rename(...server, 'orders', { id: String(created.id).replace('/orders', '/sales') })
  await expect(databases.get(...server, 'orders')).rejects.toMatchObject({ statusCode: 404, code: 'ResourceNotFound' })
  const copy = await databases.createOrUpdate(...server, 'archive', {
    location: 'westeurope',
    createMode: 'Copy',
    sourceDatabaseId: String(created.id).replace('/orders', '/sales'),
  })
  expect(copy.status).toBe('Online')
  expect((await databases.listByServer(...server)).map(({ name }) => name)).toEqual(['archive', 'sales'])
  await expect(databases.upgradeDataWarehouse(...server, 'sales')).rejects.toMatchObject({
    statusCode: 400,
    code: 'FeatureDisabledOnSelectedEdition',
  })
  for (const name of ['archive', 'sales', 'sales']) await databases.deleteMethod(...server, name)
  expect(await databases.listByServer(...server)).toHaveLength(0)
})
