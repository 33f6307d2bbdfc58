import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { testService } from '../testing/app.ts'
import { seed } from '../testing/seed.ts'
import { groupResourceId, tenantOf } from '../testing/tenant.ts'
import type { PropertiesInput } from './contract.ts'

const settings = {
  autoBackupSettings: {
    enable: true,
    backupScheduleType: 'Manual',
    fullBackupFrequency: 'Daily',
    fullBackupStartTime: 2,
    fullBackupWindowHours: 2,
    retentionPeriod: 7,
    enableEncryption: true,
    backupSystemDbs: false,
  },
  autoPatchingSettings: {
    enable: true,
    dayOfWeek: 'Sunday',
    maintenanceWindowStartingHour: 3,
    maintenanceWindowDuration: 60,
  },
  keyVaultCredentialSettings: { enable: false },
  storageConfigurationSettings: { diskConfigurationType: 'NEW', storageWorkloadType: 'OLTP' },
  serverConfigurationsManagementSettings: {
    additionalFeaturesServerConfigurations: { isRServicesEnabled: false },
    sqlConnectivityUpdateSettings: { connectivityType: 'PRIVATE', port: 15_499, sqlAuthUpdateUserName: 'shop' },
    sqlWorkloadTypeUpdateSettings: { sqlWorkloadType: 'OLTP' },
  },
} as const satisfies PropertiesInput

/** With the password, which is never returned. */
const input = {
  ...settings,
  serverConfigurationsManagementSettings: {
    ...settings.serverConfigurationsManagementSettings,
    sqlConnectivityUpdateSettings: {
      ...settings.serverConfigurationsManagementSettings.sqlConnectivityUpdateSettings,
      sqlAuthUpdatePassword: 'not to be returned',
    },
  },
} as const satisfies PropertiesInput

test('returns settings with $expand, without secrets', async () => {
  await using app = await startTestApp(testService())
  const tenant = await tenantOf(app, 'alice')
  const body = { location: 'westeurope', properties: input }
  await tenant.machines.createOrUpdate({ ...tenant.machine('one'), body })
  const readWith = async ($expand?: string) => {
    const { params, query } = tenant.machine('one')
    return (await tenant.machines.get({ params, query: { ...query, ...($expand && { $expand }) } })).body.properties
  }
  expect(await readWith('*')).toMatchObject(settings)
  expect(JSON.stringify(await readWith('*'))).not.toContain('not to be returned')
  expect(Object.keys((await readWith()) ?? {})).not.toContain('autoBackupSettings')
  const selected = await readWith('autoPatchingSettings,storageConfigurationSettings')
  expect(selected).toMatchObject({ autoPatchingSettings: settings.autoPatchingSettings })
  expect(selected).not.toHaveProperty('autoBackupSettings')
  await expect(readWith('everything')).rejects.toMatchObject({ status: 400 })
})

const machineRefusals: readonly [string, number, PropertiesInput][] = [
  ['sqlImageOffer', 501, { sqlImageOffer: 'SQL2017-WS2016' }],
  ['wsfcDomainCredentials', 501, { wsfcDomainCredentials: { sqlServiceAccountPassword: 'x' } }],
  ['keyVaultCredentialSettings', 501, { keyVaultCredentialSettings: { enable: true } }],
  ['keyVaultCredentialSettings', 501, { keyVaultCredentialSettings: { azureKeyVaultUrl: 'https://vault' } }],
  ['storageAccountUrl', 501, { autoBackupSettings: { storageAccountUrl: 'https://blobs' } }],
  ['storageAccessKey', 501, { autoBackupSettings: { storageAccessKey: 'x' } }],
  ['password', 501, { autoBackupSettings: { password: 'x' } }],
  ['logBackupFrequency', 501, { autoBackupSettings: { logBackupFrequency: 5 } }],
  ['backupSystemDbs', 501, { autoBackupSettings: { backupSystemDbs: true } }],
  ['diskConfigurationType', 501, { storageConfigurationSettings: { diskConfigurationType: 'EXTEND' } }],
  ['sqlDataSettings', 501, { storageConfigurationSettings: { sqlDataSettings: { luns: [1] } } }],
  ['sqlLogSettings', 501, { storageConfigurationSettings: { sqlLogSettings: { luns: [1] } } }],
  ['sqlTempDbSettings', 501, { storageConfigurationSettings: { sqlTempDbSettings: { luns: [1] } } }],
  [
    'sqlStorageUpdateSettings',
    501,
    { serverConfigurationsManagementSettings: { sqlStorageUpdateSettings: { diskCount: 2 } } },
  ],
  [
    'isRServicesEnabled',
    501,
    {
      serverConfigurationsManagementSettings: {
        additionalFeaturesServerConfigurations: { isRServicesEnabled: true },
      },
    },
  ],
  ['sqlManagement', 400, { sqlManagement: 'NoAgent', autoPatchingSettings: { enable: true } }],
  [
    'sqlAuthUpdatePassword',
    400,
    { serverConfigurationsManagementSettings: { sqlConnectivityUpdateSettings: { sqlAuthUpdateUserName: 'shop' } } },
  ],
  [
    'postgres',
    400,
    {
      serverConfigurationsManagementSettings: {
        sqlConnectivityUpdateSettings: { sqlAuthUpdateUserName: 'postgres', sqlAuthUpdatePassword: 'long enough' },
      },
    },
  ],
  ['does not exist', 400, { sqlVirtualMachineGroupResourceId: groupResourceId('missing') }],
  ['not the id', 400, { sqlVirtualMachineGroupResourceId: '/subscriptions/Main' }],
]

test('rejects unsupported properties by name', async () => {
  await using app = await startTestApp(testService())
  const tenant = await tenantOf(app, 'alice')
  for (const [name, status, properties] of machineRefusals)
    await expect(
      tenant.machines.createOrUpdate({ ...tenant.machine('one'), body: { location: 'westeurope', properties } }),
    ).rejects.toMatchObject({ status, body: { error: { message: expect.stringContaining(name) } } })
  const body = { location: 'westeurope', identity: { type: 'SystemAssigned' } } as const
  await expect(tenant.machines.createOrUpdate({ ...tenant.machine('one'), body })).rejects.toMatchObject({
    status: 501,
  })
  const misspelt = { location: 'westeurope', properties: { autoBackupSetting: { enable: true } } } as never
  await expect(tenant.machines.createOrUpdate({ ...tenant.machine('one'), body: misspelt })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("did you mean 'autoBackupSettings'") } },
  })
  const unsupported = { tags: {}, properties: { sqlServerLicenseType: 'AHUB' } } as never
  await expect(tenant.machines.update({ ...tenant.machine('one'), body: unsupported })).rejects.toMatchObject({
    status: 400,
  })
  await expect(tenant.groups.update({ ...tenant.group('shop'), body: unsupported })).rejects.toMatchObject({
    status: 400,
  })
  const wsfcDomainProfile = { domainFqdn: 'example.com' }
  await expect(
    tenant.groups.createOrUpdate({
      ...tenant.group('shop'),
      body: { location: 'westeurope', properties: { wsfcDomainProfile } },
    }),
  ).rejects.toMatchObject({ status: 501 })
  await expect(tenant.read('one')).rejects.toMatchObject({ status: 404 })
})

test('rejects deletion of a group with machines, changes of immutable properties, and ports in use', async () => {
  await using app = await startTestApp(testService())
  const tenant = await tenantOf(app, 'alice')
  await seed({ baseUrl: `${app.url}/sql-virtual-machines`, headers: tenant.headers }, app)
  await expect(tenant.groups.delete(tenant.group('shop'))).rejects.toMatchObject({ status: 409 })
  const change = (name: string, location: string, properties: PropertiesInput = {}) =>
    tenant.machines.createOrUpdate({ ...tenant.machine(name), body: { location, properties } })
  await expect(change('alone', 'elsewhere')).rejects.toMatchObject({ status: 409 })
  await expect(change('alone', 'westeurope', { sqlImageSku: 'Web' })).rejects.toMatchObject({ status: 409 })
  const sqlVirtualMachineGroupResourceId = groupResourceId('shop')
  await expect(change('alone', 'westeurope', { sqlVirtualMachineGroupResourceId })).rejects.toMatchObject({
    status: 409,
  })
  // In either spelling of the namespace it is the same group.
  const same = groupResourceId('SHOP', 'Microsoft.SqlVirtualMachine')
  await change('shop-1', 'westeurope', { sqlVirtualMachineGroupResourceId: same })

  const listen = (name: string, properties: object) =>
    tenant.listeners.createOrUpdate({ ...tenant.listener('shop', name), body: { properties } })
  await expect(listen('second', { port: 15_500 })).rejects.toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('15500') } },
  })
  for (const name of ['loadBalancerResourceId', 'publicIpAddressResourceId'])
    await expect(listen('second', { loadBalancerConfigurations: [{ [name]: 'x' }] })).rejects.toMatchObject({
      status: 501,
      body: { error: { message: expect.stringContaining(name) } },
    })
  const privateIpAddress = { ipAddress: '10.0.0.1' }
  await expect(listen('second', { loadBalancerConfigurations: [{ privateIpAddress }] })).rejects.toMatchObject({
    status: 501,
  })
  const balancer = { probePort: 15_600, sqlVirtualMachineInstances: [] }
  const created = await listen('second', {
    port: 15_601,
    createDefaultAvailabilityGroupIfNotExist: true,
    loadBalancerConfigurations: [balancer],
  })
  expect(created.body.properties).toMatchObject({ port: 15_601, loadBalancerConfigurations: [{ probePort: 15_600 }] })
  await tenant.listeners.delete(tenant.listener('shop', 'second'))
  await listen('third', { port: 15_600 }) // the deleted listener has released its ports
})
