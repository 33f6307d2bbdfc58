import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'

export const views: Views = {
  group: 'Data',
  scope: { ...demoScope, 'api-version': '1.0' },
  resources: {
    ConfigurationStores_List: {
      title: 'Configuration stores',
      type: 'Vendor.AppConfiguration/configurationStores',
      about: 'A store keeps application settings as key-values, with their history.',
      invitation: 'Create a store for your settings',
      columns: ['name', 'properties.provisioningState', 'sku.name', 'location', 'tags', 'properties.creationDate'],
      actions: ['ConfigurationStores_ListKeys'],
      example: { location: 'here', sku: { name: 'Free' } },
      panels: [
        {
          title: 'Values',
          operation: 'Revisions_List',
          query: { 'api-version': '1.0' },
          about: 'Latest values, with those before. A deleted key-value keeps its history.',
          show: {
            as: 'values',
            rows: 'items',
            name: 'key',
            variant: 'label',
            value: 'value',
            time: 'last_modified',
          },
        },
      ],
    },
    KeyValues_List: {
      title: 'Key-values',
      about: 'A key-value is one setting. Labels distinguish its variants, such as environments.',
      columns: ['key', 'label', 'value', 'locked', 'tags', 'last_modified'],
      update: 'KeyValues_Put',
      example: { value: 'red' },
      panels: [
        {
          title: 'History',
          operation: 'Revisions_List',
          query: { 'api-version': '1.0' },
          fields: { key: 'key' },
          show: {
            as: 'values',
            rows: 'items',
            name: 'key',
            variant: 'label',
            value: 'value',
            time: 'last_modified',
          },
        },
      ],
    },
    Revisions_List: {
      title: 'History',
      about: 'Every value that a key has had.',
      columns: ['key', 'label', 'value', 'last_modified'],
    },
    Snapshots_List: {
      title: 'Snapshots',
      about: 'A snapshot is an immutable copy of key-values.',
      columns: ['name', 'status', 'items_count', 'composition_type', 'created'],
      example: { filters: [{ key: '*' }] },
    },
    PrivateEndpointConnections_ListByConfigurationStore: {
      title: 'Private endpoints',
      about: 'Private endpoint connections to approve or reject.',
      columns: ['name', 'properties.provisioningState', 'properties.privateLinkServiceConnectionState.status'],
    },
    ConfigurationStores_ListDeleted: {
      title: 'Deleted stores',
      about: 'Deleted stores can be recovered until they are purged.',
      columns: ['name', 'properties.location', 'properties.deletionDate', 'properties.scheduledPurgeDate'],
    },
  },
  others: [
    'ConfigurationStores_ListByResourceGroup',
    'PrivateLinkResources_ListByConfigurationStore',
    'Operations_List',
    'Keys_List',
    'Labels_List',
  ],
}
