import { SqlVirtualMachineManagementClient } from '@azure/arm-sqlvirtualmachine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlVirtualMachines } from '../../services/sql-virtual-machines/src/index.ts'
import { machinesFolder, testSettings } from '../../services/sql-virtual-machines/src/testing/app.ts'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

let platform: SdkPlatform
let folder: Awaited<ReturnType<typeof machinesFolder>>

beforeAll(async () => {
  folder = await machinesFolder()
  platform = await startSdkPlatform(() => [sqlVirtualMachines(testSettings(folder.path))])
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

test('@azure/arm-sqlvirtualmachine 4.1.1 creates a group with a machine and a listener, and deletes them', {
  timeout: 300_000,
}, async () => {
  // The client accepts any object with getToken; its type declares only the older kind.
  const client = new SqlVirtualMachineManagementClient(platform.credential as never, 'sub-1', {
    baseUri: `${platform.at('http')}/sql-virtual-machines`,
    longRunningOperationRetryTimeout: 0, // its default of 30 s would override our Retry-After
  })
  const {
    sqlVirtualMachineGroups: groups,
    sqlVirtualMachines: machines,
    availabilityGroupListeners: listeners,
  } = client
  const location = 'westeurope'
  const group = await groups.createOrUpdate('web', 'shop', { location, sqlImageSku: 'Developer' })
  expect(group).toMatchObject({
    id: '/subscriptions/sub-1/resourceGroups/web/providers/Microsoft.SqlVirtualMachine/sqlVirtualMachineGroups/shop',
    type: 'Microsoft.SqlVirtualMachine/sqlVirtualMachineGroups',
    provisioningState: 'Succeeded',
    scaleType: 'HA',
  })
  const machine = await machines.createOrUpdate('web', 'shop-1', {
    location,
    tags: { team: 'shop' },
    sqlServerLicenseType: 'PAYG',
    sqlVirtualMachineGroupResourceId: group.id as string,
    autoPatchingSettings: { enable: true, dayOfWeek: 'Sunday', maintenanceWindowStartingHour: 2 },
  })
  expect(machine).toMatchObject({ provisioningState: 'Succeeded', sqlImageOffer: 'PostgreSQL15' })
  expect(machine.autoPatchingSettings).toBeUndefined()
  expect(await machines.get('web', 'SHOP-1', { expand: '*' })).toMatchObject({
    sqlServerLicenseType: 'PAYG',
    autoPatchingSettings: { enable: true, dayOfWeek: 'Sunday', maintenanceWindowStartingHour: 2 },
    sqlVirtualMachineGroupResourceId: group.id,
  })
  expect(await machines.update('web', 'shop-1', { tags: { team: 'other' } })).toMatchObject({ tags: { team: 'other' } })
  expect(await groups.update('web', 'shop', { tags: { team: 'other' } })).toMatchObject({ tags: { team: 'other' } })
  const listener = await listeners.createOrUpdate('web', 'shop', 'main', { availabilityGroupName: 'orders' })
  expect(listener).toMatchObject({ provisioningState: 'Succeeded', port: expect.any(Number) })
  expect(await listeners.get('web', 'shop', 'main')).toMatchObject({ availabilityGroupName: 'orders' })
  const names = (all: readonly { name?: string }[]) => all.map(({ name }) => name)
  expect(names(await listeners.listByGroup('web', 'shop'))).toEqual(['main'])
  expect(names(await machines.listBySqlVmGroup('web', 'shop'))).toEqual(['shop-1'])
  expect(names(await machines.listByResourceGroup('web'))).toEqual(['shop-1'])
  expect(names(await machines.list())).toEqual(['shop-1'])
  expect(names(await groups.listByResourceGroup('web'))).toEqual(['shop'])
  expect(names(await groups.list())).toEqual(['shop'])
  expect(names(await client.operations.list())).toContain('Microsoft.SqlVirtualMachine/sqlVirtualMachines/read')
  await expect(groups.deleteMethod('web', 'shop')).rejects.toMatchObject({ statusCode: 409, code: 'GroupNotEmpty' })
  await listeners.deleteMethod('web', 'shop', 'main')
  await machines.deleteMethod('web', 'shop-1')
  await groups.deleteMethod('web', 'shop')
  await expect(machines.get('web', 'shop-1')).rejects.toMatchObject({ statusCode: 404 })
  await groups.deleteMethod('web', 'shop') // 204
})
