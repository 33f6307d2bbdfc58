import { extension, named, oneOf, readOnly, type Static, Type, writable } from '@icosa/contract'
import { arm, listOf, resourceFamily, Tags, trackedFields } from '@icosa/dialects/arm'
import { laterSkus, skuName, versions } from '../names.ts'

export const api = arm(
  'Vendor.HardwareSecurityModules',
  { name: Type.String({ pattern: '^[a-zA-Z0-9-]{3,24}$', description: '3 to 24 letters, digits and -' }) },
  versions[0],
)

export const provisioningState = oneOf(
  ...(['Succeeded', 'Provisioning', 'Allocating', 'Connecting', 'Failed', 'CheckingQuota', 'Deleting'] as const),
)

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const NetworkProfile = named('NetworkProfile', {
  subnet: Type.Optional(named('ApiEntityReference', { id: Type.Optional(text(1_000)) })),
  networkInterfaces: Type.Optional(
    Type.Array(named('NetworkInterface', { privateIpAddress: Type.Optional(text(100)) }), { maxItems: 10 }),
  ),
})
export interface NetworkProfile extends Static<typeof NetworkProfile> {}

const Module = named('DedicatedHsm', {
  ...trackedFields,
  sku: named('Sku', { name: oneOf(skuName, ...laterSkus) }),
  zones: Type.Optional(Type.Array(text(50), { maxItems: 10 })),
  properties: named('DedicatedHsmProperties', {
    provisioningState: readOnly(Type.Optional(provisioningState)),
    statusMessage: readOnly(Type.Optional(Type.String())),
    endpoint: readOnly(Type.Optional(Type.String({ description: 'URL of the API to create and use its keys.' }))),
    stampId: Type.Optional(Type.Nullable(text(100))),
    networkProfile: Type.Optional(Type.Nullable(NetworkProfile)),
    managementNetworkProfile: Type.Optional(Type.Nullable(NetworkProfile)), // refused with 501
  }),
})

export { Module }
export interface Module extends Static<typeof Module> {}

const ModuleInput = writable(Module)
export interface ModuleInput extends Static<typeof ModuleInput> {}

const ModuleUpdate = named('DedicatedHsmPatchParameters', { tags: Type.Optional(Tags) })

const family = resourceFamily(api, 'dedicatedHSMs', 'name', {
  noun: 'module',
  one: Module,
  many: listOf('DedicatedHsmListResult', Module),
  page: {
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Maximum number of results.' }),
    ),
    $skipToken: extension(Type.Optional(Type.String({ maxLength: 2_000 }))),
  },
  put: {
    summary: 'Create or replace a module. Continues in the background if the response is 201.',
    body: ModuleInput,
    replies: { 200: Module, 201: Module },
  },
  patch: { summary: 'Change the tags of a module.', body: ModuleUpdate, replies: { 200: Module } },
  delete: {
    summary: 'Zeroize a module and delete it with its keys, in the background.',
    replies: { 200: null, 202: null, 204: null },
  },
})

export const modules = {
  createOrUpdate: family.put,
  update: family.patch,
  delete: family.delete,
  get: family.get,
  listByResourceGroup: family.listByResourceGroup,
  listBySubscription: family.list,
}
