import { AppConfigurationClient, featureFlagContentType, featureFlagPrefix } from '@azure/app-configuration'
import { AppConfigurationManagementClient } from '@azure/arm-appconfiguration'
import { configurationStores } from '@icosa/configuration-stores'
import { expect, test } from 'vitest'
import { startSdkPlatform } from './support.ts'

const group = 'sdk'
const name = 'sdk-store'
const location = 'westus'
const privateEndpoint = '/subscriptions/a-subscription/privateEndpoints/office'

/** A store made by the management SDK, and the data SDK with its connection string. */
async function startWithSdks() {
  const platform = await startSdkPlatform((url) => [
    configurationStores({
      endpoint: `${url}/configuration-stores/stores/{name}`,
      privateEndpoints: { [privateEndpoint]: ['127.0.0.0/8'] },
    }),
  ])
  const { app, credential, url } = platform
  const endpoint = `${url}/configuration-stores`
  const management = new AppConfigurationManagementClient(credential, 'a-subscription', { endpoint })
  await management.configurationStores.beginCreateAndWait(group, name, {
    location,
    sku: { name: 'Standard' },
  })
  const connect = (connectionString = '') =>
    new AppConfigurationClient(connectionString, { retryOptions: { maxRetries: 0 } })
  return { app, management, connect, credential, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() }
}

const collect = async <T>(items: AsyncIterable<T>) => Array.fromAsync(items)

test('@azure/arm-appconfiguration 3.1: the management SDK creates, changes, lists and deletes a store', async () => {
  await using world = await startWithSdks()
  const { configurationStores: stores, privateEndpointConnections, operations } = world.management
  expect(await stores.get(group, name)).toMatchObject({
    name,
    provisioningState: 'Succeeded',
    sku: { name: 'Standard' },
  })
  const encryption = { keyVaultProperties: { keyIdentifier: 'https://keys.example/one' } }
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

test('@azure/arm-appconfiguration 3.1: a deleted store is listed, recovered and purged', async () => {
  await using world = await startWithSdks()
  const { configurationStores: stores } = world.management
  const [key] = await collect(stores.listKeys(group, name))
  await world.connect(key?.connectionString).setConfigurationSetting({ key: 'color', value: 'red' })
  await stores.beginDeleteAndWait(group, name)
  expect(await collect(stores.listDeleted())).toMatchObject([{ name, location, purgeProtectionEnabled: false }])
  const { deletionDate, scheduledPurgeDate } = await stores.getDeleted(location, name)
  expect(Number(scheduledPurgeDate) - Number(deletionDate)).toBe(7 * 86_400_000)

  await stores.beginCreateAndWait(group, name, { location, sku: { name: 'Standard' }, createMode: 'Recover' })
  const recovered = world.connect(key?.connectionString)
  expect((await recovered.getConfigurationSetting({ key: 'color' })).value).toBe('red')
  await stores.beginDeleteAndWait(group, name)
  await stores.beginPurgeDeletedAndWait(location, name)
  expect(await collect(stores.listDeleted())).toEqual([])
})

test('@azure/app-configuration: the data SDK reads, writes, locks, lists and looks back', async () => {
  await using world = await startWithSdks()
  const { configurationStores: stores } = world.management
  const [key] = await collect(stores.listKeys(group, name))
  const data = world.connect(key?.connectionString)

  const added = await data.addConfigurationSetting({
    key: 'app/Größe:1',
    label: 'prod',
    value: 'one',
    tags: { a: 'b' },
  })
  expect(added).toMatchObject({ key: 'app/Größe:1', label: 'prod', value: 'one', isReadOnly: false })
  await expect(data.addConfigurationSetting({ key: 'app/Größe:1', label: 'prod', value: 'x' })).rejects.toMatchObject({
    statusCode: 412,
  })
  const between = new Date()
  await world.app.clock.advance(1_000)
  const id = { key: 'app/Größe:1', label: 'prod' }
  const set = await data.setConfigurationSetting({ ...added, value: 'two' }, { onlyIfUnchanged: true })
  await expect(data.setConfigurationSetting({ ...added, value: 'x' }, { onlyIfUnchanged: true })).rejects.toMatchObject(
    {
      statusCode: 412,
    },
  )
  expect((await data.getConfigurationSetting(id)).value).toBe('two')
  expect(
    (await data.getConfigurationSetting({ ...id, ...(set.etag && { etag: set.etag }) }, { onlyIfChanged: true }))
      .statusCode,
  ).toBe(304)
  expect((await data.getConfigurationSetting(id, { acceptDateTime: between })).value).toBe('one')
  expect((await collect(data.listRevisions({ keyFilter: 'app/*' }))).map(({ value }) => value)).toEqual(['two', 'one'])

  expect((await data.setReadOnly(id, true)).isReadOnly).toBe(true)
  await expect(data.setConfigurationSetting({ ...id, value: 'x' })).rejects.toMatchObject({ statusCode: 409 })
  await data.setReadOnly(id, false)

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
  expect(await collect(data.listConfigurationSettings({ keyFilter: 'many/*', labelFilter: '\0' }))).toHaveLength(205)
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

  const regenerated = await stores.regenerateKey(group, name, { id: key?.id ?? '' })
  await expect(data.getConfigurationSetting(id)).rejects.toMatchObject({ statusCode: 401 })
  expect((await world.connect(regenerated.connectionString).getConfigurationSetting(id)).value).toBe('two')
})
