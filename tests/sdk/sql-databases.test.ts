import { SqlManagementClient } from '@azure/arm-sql'
import { SqlManagementClient as Client10 } from '@azure/arm-sql-10'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dropPhysical, testService } from '../../services/sql-databases/src/testing/app.ts'
import { asOldest, type SdkPlatform, startSdkPlatform } from './support.ts'
import type { Scheme } from './tls.ts'

let platform: SdkPlatform

beforeAll(async () => {
  platform = await startSdkPlatform(() => [testService()])
})
afterAll(async () => {
  await dropPhysical(platform.app.platform.database)
  await platform[Symbol.asyncDispose]()
})

const server = ['group', 'eu-1'] as const
const at = (scheme: Scheme) => `${platform.at(scheme)}/sql-databases`

function oldest(scheme: Scheme): SqlManagementClient {
  // The client accepts any object with getToken; its type declares only the older kind.
  return new SqlManagementClient(platform.credential as never, 'sub-1', {
    baseUri: at(scheme),
    longRunningOperationRetryTimeout: 0, // its default of 30 s would override our Retry-After
  })
}
const newest = (scheme: Scheme) =>
  asOldest<SqlManagementClient>(new Client10(platform.credential, 'sub-1', { endpoint: at(scheme) }))

describe.each([
  ['7.0.2', 'http', oldest],
  ['7.0.2', 'https', oldest],
  ['10.0.0', 'https', newest], // it sends tokens only over TLS
] as const)('@azure/arm-sql %s over %s', (_, scheme, client) => {
  test('creates, scales, pauses, resumes, renames, copies, lists and deletes', async () => {
    const { databases } = client(scheme)
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
    await expect(databases.get(...server, 'orders')).rejects.toMatchObject({
      statusCode: 404,
      code: 'ResourceNotFound',
    })
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

  test('creates servers and elastic pools, and reads usages and operations', async () => {
    const {
      servers,
      elasticPools,
      elasticPoolOperations,
      databases,
      serverUsages,
      databaseUsages,
      databaseOperations,
      firewallRules,
      operations,
    } = client(scheme)
    const at = ['group', 'us-1'] as const
    const location = 'westus'
    const server = await servers.createOrUpdate(...at, { location, tags: { team: 'shop' } })
    expect(server).toMatchObject({ name: 'us-1', type: 'Microsoft.Sql/servers', state: 'Ready', version: '12.0' })
    expect(await servers.get(...at)).toMatchObject({ fullyQualifiedDomainName: server.fullyQualifiedDomainName })
    expect((await servers.update(...at, { tags: { team: 'ops' } })).tags).toEqual({ team: 'ops' })
    expect((await servers.listByResourceGroup('group')).map(({ name }) => name)).toContain('us-1')

    const pool = await elasticPools.createOrUpdate(...at, 'small', {
      location,
      sku: { name: 'StandardPool', tier: 'Standard', capacity: 50 },
    })
    expect(pool).toMatchObject({ state: 'Ready', sku: { capacity: 50 }, perDatabaseSettings: { maxCapacity: 50 } })
    const orders = await databases.createOrUpdate(...at, 'orders', {
      location,
      elasticPoolId: String(pool.id),
      collation: 'SQL_Latin1_General_CP1_CI_AS',
    })
    expect(orders).toMatchObject({
      status: 'Online',
      sku: { name: 'ElasticPool', tier: 'Standard', capacity: 0 },
      collation: 'SQL_Latin1_General_CP1_CI_AS',
      defaultSecondaryLocation: location,
    })
    expect(orders.earliestRestoreDate, 'nothing is archived').toBeUndefined()
    expect(await elasticPools.update(...at, 'small', { perDatabaseSettings: { maxCapacity: 5 } })).toMatchObject({
      perDatabaseSettings: { maxCapacity: 5 },
    })
    expect(await elasticPoolOperations.listByElasticPool(...at, 'small')).toMatchObject([
      { elasticPoolName: 'small', state: 'Succeeded' },
    ])
    const used = await databaseUsages.listByDatabase(...at, 'orders')
    expect(used.find(({ name }) => name === 'connections')).toMatchObject({ currentValue: 0, limit: 5 })
    expect(await serverUsages.listByServer(...at)).toMatchObject([{ name: 'databases', currentValue: 1 }])
    expect(await databaseOperations.listByDatabase(...at, 'orders')).toMatchObject([
      { databaseName: 'orders', state: 'Succeeded' },
    ])
    expect((await operations.list()).map(({ name }) => name)).toContain('Microsoft.Sql/servers/elasticPools/write')
    await expect(
      firewallRules.createOrUpdate(...at, 'all', { startIpAddress: '0.0.0.0', endIpAddress: '0.0.0.0' }),
    ).rejects.toMatchObject({ statusCode: 501, code: 'NotImplemented' })

    await databases.update(...at, 'orders', { sku: { name: 'Standard', tier: 'Standard', capacity: 10 } })
    await elasticPools.deleteMethod(...at, 'small')
    await databases.deleteMethod(...at, 'orders')
    await servers.deleteMethod(...at)
    await expect(servers.get(...at)).rejects.toMatchObject({ statusCode: 404 })
  })
})
