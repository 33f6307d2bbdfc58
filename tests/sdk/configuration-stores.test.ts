import { AppConfigurationClient, featureFlagContentType, featureFlagPrefix } from '@azure/app-configuration'
import { AppConfigurationClient as OldestClient } from '@azure/app-configuration-1.1'
import { AppConfigurationManagementClient } from '@azure/arm-appconfiguration'
import { AppConfigurationManagementClient as Management4 } from '@azure/arm-appconfiguration-4'
import { configurationStores } from '@icosa/configuration-stores'
import { describe, expect, test } from 'vitest'
import { startSdkPlatform } from './support.ts'

const group = 'sdk'
const name = 'sdk-store'
const location = 'westus'
const privateEndpoint = '/subscriptions/a-subscription/privateEndpoints/office'

/** Creates a store with a management SDK. */
async function startWithStore(Management: typeof AppConfigurationManagementClient) {
  const platform = await startSdkPlatform((url) => [
    configurationStores({
      endpoint: `${url}/configuration-stores/stores/{name}`,
      privateEndpoints: { [privateEndpoint]: ['127.0.0.0/8'] },
    }),
  ])
  const { app, at, credential, url } = platform
  const management = new Management(credential, 'a-subscription', { endpoint: `${url}/configuration-stores` })
  await management.configurationStores.beginCreateAndWait(group, name, {
    location,
    sku: { name: 'Standard' },
  })
  return { app, at, management, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() }
}

const connect = (connectionString = '') =>
  new AppConfigurationClient(connectionString, { retryOptions: { maxRetries: 0 } })
const connectOldest = (connectionString = '') =>
  new OldestClient(connectionString, {}) as unknown as AppConfigurationClient

const collect = async <T>(items: AsyncIterable<T>) => Array.fromAsync(items)

// Over TLS only: these clients send tokens over nothing else.
describe.each([
  ['3.1.0', AppConfigurationManagementClient],
  ['4.0.0', Management4 as unknown as typeof AppConfigurationManagementClient],
])('@azure/arm-appconfiguration %s', (_, Management) => {
  test('creates, changes, lists and deletes a store', async () => {
    await using world = await startWithStore(Management)
    const { configurationStores: stores, privateEndpointConnections, operations } = world.management
    expect(await stores.get(group, name)).toMatchObject({
      name,
      provisioningState: 'Succeeded',
      sku: { name: 'Standard' },
    })
    const encryption = { keyVaultProperties: { identityClientId: 'somebody' } }
    await expect(stores.beginUpdateAndWait(group, name, { encryption })).rejects.toMatchObject({
      statusCode: 501,
      code: 'NotImplemented',
    })
    const updated = await stores.beginUpdateAndWait(group, name, { publicNetworkAccess: 'Disabled' })
    expect(updated).toMatchObject({ publicNetworkAccess: 'Disabled', softDeleteRetentionInDays: 7 })
    expect((await collect(stores.list())).map((store) => store.name)).toEqual([name])
    expect((await collect(stores.listKeys(group, name))).map((key) => key.name)).toHaveLength(4)
    expect(
      await operations.checkNameAvailability({ name, type: 'Microsoft.AppConfiguration/configurationStores' }),
    ).toMatchObject({ nameAvailable: false })
    const connection = await privateEndpointConnections.beginCreateOrUpdateAndWait(group, name, 'office', {
      privateEndpoint: { id: privateEndpoint },
      privateLinkServiceConnectionState: { status: 'Approved' },
    })
    expect(connection.privateLinkServiceConnectionState?.status).toBe('Approved')
    await privateEndpointConnections.beginDeleteAndWait(group, name, 'office')
    expect((await collect(operations.list())).length).toBeGreaterThan(10)
    await stores.beginDeleteAndWait(group, name)
    await expect(stores.get(group, name)).rejects.toMatchObject({ statusCode: 404, code: 'ResourceNotFound' })
  })

  test('a deleted store is listed, recovered and purged', async () => {
    await using world = await startWithStore(Management)
    const { configurationStores: stores } = world.management
    const [key] = await collect(stores.listKeys(group, name))
    await connect(key?.connectionString).setConfigurationSetting({ key: 'color', value: 'red' })
    await stores.beginDeleteAndWait(group, name)
    expect(await collect(stores.listDeleted())).toMatchObject([{ name, location, purgeProtectionEnabled: false }])
    const { deletionDate, scheduledPurgeDate } = await stores.getDeleted(location, name)
    expect(Number(scheduledPurgeDate) - Number(deletionDate)).toBe(7 * 86_400_000)

    await stores.beginCreateAndWait(group, name, { location, sku: { name: 'Standard' }, createMode: 'Recover' })
    const recovered = connect(key?.connectionString)
    expect((await recovered.getConfigurationSetting({ key: 'color' })).value).toBe('red')
    await stores.beginDeleteAndWait(group, name)
    await stores.beginPurgeDeletedAndWait(location, name)
    expect(await collect(stores.listDeleted())).toEqual([])
  })
})

describe.each([
  ['1.1.0', 'http', connectOldest],
  ['1.1.0', 'https', connectOldest],
  ['1.13.0', 'https', connect], // it requires TLS
] as const)('@azure/app-configuration %s over %s', (_, scheme, open) => {
  test('reads, writes, locks and lists settings and their revisions', async () => {
    await using world = await startWithStore(AppConfigurationManagementClient)
    const { configurationStores: stores } = world.management
    const [key] = await collect(stores.listKeys(group, name))
    const over = (connection = '') => connection.replace(world.at('https'), world.at(scheme))
    const data = open(over(key?.connectionString))

    const added = await data.addConfigurationSetting({
      key: 'app/Größe:1',
      label: 'prod',
      value: 'one',
      tags: { a: 'b' },
    })
    expect(added).toMatchObject({ key: 'app/Größe:1', label: 'prod', value: 'one', isReadOnly: false })
    await expect(data.addConfigurationSetting({ key: 'app/Größe:1', label: 'prod', value: 'x' })).rejects.toMatchObject(
      {
        statusCode: 412,
      },
    )
    const between = new Date()
    await world.app.clock.advance(1_000)
    const id = { key: 'app/Größe:1', label: 'prod' }
    const set = await data.setConfigurationSetting({ ...added, value: 'two' }, { onlyIfUnchanged: true })
    await expect(
      data.setConfigurationSetting({ ...added, value: 'x' }, { onlyIfUnchanged: true }),
    ).rejects.toMatchObject({
      statusCode: 412,
    })
    expect((await data.getConfigurationSetting(id)).value).toBe('two')
    expect(
      (await data.getConfigurationSetting({ ...id, ...(set.etag && { etag: set.etag }) }, { onlyIfChanged: true }))
        .statusCode,
    ).toBe(304)
    expect((await data.getConfigurationSetting(id, { acceptDateTime: between })).value).toBe('one')
    expect((await collect(data.listRevisions({ keyFilter: 'app/*' }))).map(({ value }) => value)).toEqual([
      'two',
      'one',
    ])

    expect((await data.setReadOnly(id, true)).isReadOnly).toBe(true)
    await expect(data.setConfigurationSetting({ ...id, value: 'x' })).rejects.toMatchObject({ statusCode: 409 })
    await data.setReadOnly(id, false)

    for (let index = 0; index < 205; index++)
      await data.setConfigurationSetting({
        key: `many/${index}`,
        value: String(index),
        tags: { even: String(index % 2 === 0) },
      })
    expect(await collect(data.listConfigurationSettings({ keyFilter: 'many/*', labelFilter: '\0' }))).toHaveLength(205)

    const regenerated = await stores.regenerateKey(group, name, { id: key?.id ?? '' })
    await expect(data.getConfigurationSetting(id)).rejects.toMatchObject({ statusCode: 401 })
    expect((await open(over(regenerated.connectionString)).getConfigurationSetting(id)).value).toBe('two')
  })
})

test('@azure/app-configuration 1.13.0 uses feature flags, tags, labels and snapshots', async () => {
  await using world = await startWithStore(AppConfigurationManagementClient)
  const [key] = await collect(world.management.configurationStores.listKeys(group, name))
  const data = connect(key?.connectionString)
  await data.setConfigurationSetting({ key: 'color', label: 'prod', value: 'red' })
  await data.setConfigurationSetting({
    key: `${featureFlagPrefix}beta`,
    contentType: featureFlagContentType,
    value: { id: 'beta', enabled: true, conditions: { clientFilters: [] } },
  })
  for (let index = 0; index < 205; index++)
    await data.setConfigurationSetting({
      key: `many/${index}`,
      value: String(index),
      tags: { even: String(index % 2 === 0) },
    })
  expect(await collect(data.listConfigurationSettings({ tagsFilter: ['even=true'], fields: ['key'] }))).toHaveLength(
    103,
  )
  expect((await collect(data.listLabels())).map((label) => label.name)).toEqual([null, 'prod'])

  const snapshot = await data.beginCreateSnapshotAndWait(
    { name: 'first', filters: [{ keyFilter: 'many/*' }] },
    { updateIntervalInMs: 100 },
  )
  expect(snapshot).toMatchObject({ name: 'first', status: 'ready', itemCount: 205 })
  await data.deleteConfigurationSetting({ key: 'many/1' })
  expect(await collect(data.listConfigurationSettingsForSnapshot('first'))).toHaveLength(205)
  expect((await data.archiveSnapshot('first')).status).toBe('archived')
  expect((await data.recoverSnapshot('first')).status).toBe('ready')
  expect(await collect(data.listSnapshots({ statusFilter: ['ready'] }))).toHaveLength(1)
})
