import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'

export const views: Views = {
  group: 'Keys and backups',
  scope: demoScope,
  resources: {
    DedicatedHsm_ListBySubscription: {
      title: 'Security modules',
      type: 'Vendor.HardwareSecurityModules/dedicatedHSMs',
      about: 'A module creates keys and signs and encrypts with them. The keys never leave it.',
      columns: ['name', 'properties.provisioningState', 'sku.name', 'location', 'tags'],
      example: { location: 'here', sku: { name: 'SafeNet Luna Network HSM A790' }, properties: {} },
    },
    Keys_List: {
      title: 'Keys',
      about: 'A key signs, wraps or encrypts inside its module.',
      columns: ['name', 'type', 'curve', 'size', 'exportable', 'createdAt'],
      parent: { view: 'DedicatedHsm_ListBySubscription', fields: { moduleId: 'properties.endpoint' } },
      example: { type: 'EC', curve: 'P-256' },
      panels: [
        { title: 'Public key', show: { as: 'code', text: 'publicKey' } },
        {
          title: 'Uses',
          operation: 'Uses_List',
          fields: { key: 'name' },
          show: { as: 'table', rows: 'value' },
          columns: ['at', 'outcome', 'operation', 'algorithm', 'caller', 'detail'],
        },
        {
          title: 'Sign',
          operation: 'Keys_Sign',
          body: { algorithm: 'ES256', value: 'SGVsbG8=' },
          show: { as: 'code', text: 'signature' },
        },
      ],
    },
    Uses_List: {
      title: 'Key usage',
      about: 'Every use of a key, with its time, caller and outcome.',
      columns: ['key', 'outcome', 'operation', 'algorithm', 'caller', 'at'],
      state: 'outcome',
      parent: { view: 'DedicatedHsm_ListBySubscription', fields: { moduleId: 'properties.endpoint' } },
    },
  },
  others: ['DedicatedHsm_ListByResourceGroup', 'Operations_List'],
}
