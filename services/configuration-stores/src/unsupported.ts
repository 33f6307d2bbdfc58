import type { Gaps } from '@icosa/module'

export const unsupported = {
  identityClientId: {
    name: '`encryption.keyVaultProperties.identityClientId`',
    answer: 501,
    instead: 'The access of a key names the store itself. Omit it.',
  },
  keyVaults: {
    name: 'keys of a key vault in `keyIdentifier`',
    answer: 400,
    instead: 'Use a key of `hardware-security-modules` that encrypts and decrypts.',
  },
  identity: {
    name: '`identity`',
    answer: 501,
    instead: 'Stores have no identity. Omit it.',
  },
  laterProperties: {
    name: '`dataPlaneProxy` and other properties of later versions that are not in this table',
    answer: 400,
    instead: 'The error lists the supported properties.',
  },
  description: {
    name: '`description` of key-values and snapshots, of a later version of the data plane',
    answer: 400,
    instead: 'Put it into a tag.',
  },
  laterSkus: { name: 'the SKUs `Developer` and `Premium`', answer: 400, instead: 'Use `Free` or `Standard`.' },
  replicas: { name: '`replicas`', answer: 501, instead: 'A store is in one place.' },
  managedKeyValues: {
    name: '`keyValues` and `snapshots` as resources of the management API',
    answer: 501,
    instead: 'Read and write them at the endpoint of the store.',
  },
  range: { name: '`Range` on `/revisions`', answer: 'no effect', instead: 'Revisions are returned in pages of 100.' },
  syncToken: {
    name: '`Sync-Token`',
    answer: 'no effect',
    instead: 'It is sent but not needed: every read goes to the primary database.',
  },
  dataPlaneVersions: {
    name: '`api-version` of the data plane',
    answer: 'no effect',
    instead: 'All versions get the same responses.',
  },
  quotas: {
    name: 'quotas of a SKU',
    answer: 'differs',
    instead: 'SKUs differ in how long a store keeps its history. Other quotas are not enforced.',
  },
  automaticAccess: {
    name: '`publicNetworkAccess` left out',
    answer: 'differs',
    instead: 'It means `Enabled`, also with private endpoints: there is no automatic mode.',
  },
  privateEndpoint: {
    name: 'private endpoints',
    answer: 'differs',
    instead:
      'A private endpoint is a name to which the operator assigned networks. Approving one without networks returns 400.',
  },
  events: {
    name: 'events when a key-value changes',
    answer: 'never',
    instead: 'Applications poll with `If-None-Match`.',
  },
  systemData: { name: '`systemData`', answer: 'never', instead: 'It may be sent back, but is not stored.' },
  canceled: {
    name: '`provisioningState` `Canceled`',
    answer: 'never',
    instead: 'An operation on a store succeeds or fails.',
  },
} as const satisfies Gaps
