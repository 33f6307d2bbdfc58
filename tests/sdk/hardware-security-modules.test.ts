import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AzureDedicatedHSMResourceProvider } from '@azure/arm-hardwaresecuritymodules'
import { hardwareSecurityModules } from '@icosa/hardware-security-modules'
import { describe, expect, test } from 'vitest'
import { startSdkPlatform } from './support.ts'

const group = 'sdk'
const specified = '2018-10-31-preview'

// The client sends 2021-11-30. Its users select the specified version with a policy in its pipeline.
describe.each(['2021-11-30', specified])('@azure/arm-hardwaresecuritymodules 1.0.0 with %s', (version) => {
  test('creates, changes, lists and deletes a module', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'icosa-hsm-sdk-'))
    await using platform = await startSdkPlatform((url) => [
      hardwareSecurityModules({ folder, endpoint: `${url}/hardware-security-modules/modules/{id}` }),
    ])
    const client = new AzureDedicatedHSMResourceProvider(platform.credential, 'a-subscription', {
      endpoint: `${platform.url}/hardware-security-modules`,
    })
    if (version === specified)
      client.pipeline.addPolicy({
        name: 'specified version',
        sendRequest(request, next) {
          const url = new URL(request.url)
          url.searchParams.set('api-version', version)
          request.url = url.href
          return next(request)
        },
      })
    const { dedicatedHsmOperations: modules, operations } = client
    const created = await modules.beginCreateOrUpdateAndWait(group, 'hsm1', {
      location: 'westus',
      sku: { name: 'SafeNet Luna Network HSM A790' },
      stampId: 'stamp1',
      networkProfile: { subnet: { id: '/sub/net' }, networkInterfaces: [{ privateIpAddress: '1.0.0.1' }] },
      tags: { Dept: 'hsm' },
      zones: ['1'],
    })
    expect(created).toMatchObject({
      name: 'hsm1',
      type: 'Microsoft.HardwareSecurityModules/dedicatedHSMs',
      provisioningState: 'Succeeded',
      statusMessage: 'The module is functional.',
      stampId: 'stamp1',
      networkProfile: { subnet: { id: '/sub/net' }, networkInterfaces: [{ privateIpAddress: '1.0.0.1' }] },
      zones: ['1'],
    })
    expect(await modules.get(group, 'HSM1')).toMatchObject({ name: 'hsm1', tags: { Dept: 'hsm' } })
    expect(await modules.beginUpdateAndWait(group, 'hsm1', { tags: { Slice: 'A' } })).toMatchObject({
      tags: { Slice: 'A' },
      stampId: 'stamp1',
    })
    const names = async (list: AsyncIterable<{ name?: string }>) =>
      (await Array.fromAsync(list)).map(({ name }) => name)
    expect(await names(modules.listByResourceGroup(group, { top: 5 }))).toEqual(['hsm1'])
    expect(await names(modules.listBySubscription())).toEqual(['hsm1'])
    expect(await names(operations.list())).toContain('Microsoft.HardwareSecurityModules/dedicatedHSMs/write')
    const pay = { location: 'westus', sku: { name: 'payShield10K_LMK1_CPS60' }, stampId: 'stamp1' }
    await expect(modules.beginCreateOrUpdateAndWait(group, 'pay', pay)).rejects.toMatchObject({ statusCode: 501 })
    await modules.beginDeleteAndWait(group, 'hsm1')
    await expect(modules.get(group, 'hsm1')).rejects.toMatchObject({ statusCode: 404 })
    await modules.beginDeleteAndWait(group, 'hsm1')
  }, 120_000)
})
