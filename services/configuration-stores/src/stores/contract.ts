import { named, oneOf, readOnly, type Schema, type Static, Type, writable } from '@icosa/contract'
import { arm, listOf, plainName, resourceFamily, Tags, trackedFields } from '@icosa/dialects/arm'
import { storeName, versions } from '../names.ts'

/** Schemas of names, in paths and in the metadata of restores. */
export const names = {
  configStoreName: Type.String({ pattern: storeName.pattern.source, description: storeName.description }),
  privateEndpointConnectionName: plainName(80),
  groupName: plainName(80),
}

export const api = arm('Vendor.AppConfiguration', names, versions[0])

export const provisioningState = oneOf('Creating', 'Updating', 'Deleting', 'Succeeded', 'Failed', 'Canceled')
export type ProvisioningState = Static<typeof provisioningState>

const Sku = named('Sku', {
  name: Type.String({ pattern: '^([Ff]ree|[Ss]tandard)$', description: 'Free or Standard.' }),
})

// Clients send these, often empty; anything else is refused by name.
const Identity = Type.Object(
  {
    type: Type.Optional(oneOf('None', 'SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned')),
    userAssignedIdentities: Type.Optional(Type.Record(Type.Unknown())),
  },
  { title: 'ResourceIdentity', description: 'Unsupported: anything but None is refused with 501.' },
)

const text = (description: string) => Type.Optional(Type.Nullable(Type.String({ maxLength: 2048, description })))
const KeyVaultProperties = named('KeyVaultProperties', {
  keyIdentifier: text('The address of a key of a hardware security module that encrypts and decrypts; empty for none.'),
  identityClientId: text('Unsupported: refused with 501.'),
})
const Encryption = named('EncryptionProperties', {
  keyVaultProperties: Type.Optional(Type.Nullable(KeyVaultProperties)),
})

const optional = <T>(schema: Schema<T>) => Type.Optional(Type.Nullable(schema))

/** Access, and protection of a deleted store. */
const accessSettings = {
  publicNetworkAccess: optional(oneOf('Enabled', 'Disabled')),
  disableLocalAuth: optional(Type.Boolean({ description: 'Whether requests signed with an access key are refused.' })),
  enablePurgeProtection: optional(
    Type.Boolean({ description: 'Whether it cannot be purged before its retention ends. Cannot be disabled.' }),
  ),
}

export const ConfigurationStore = named('ConfigurationStore', {
  ...trackedFields,
  sku: Sku,
  identity: Type.Optional(Identity),
  properties: Type.Optional(
    named('ConfigurationStoreProperties', {
      provisioningState: readOnly(Type.Optional(provisioningState)),
      creationDate: readOnly(Type.Optional(Type.String({ format: 'date-time' }))),
      endpoint: readOnly(Type.Optional(Type.String({ description: 'Where its key-values are read and written.' }))),
      encryption: Type.Optional(Encryption),
      ...accessSettings,
      softDeleteRetentionInDays: optional(
        Type.Integer({ minimum: 1, maximum: 7, description: 'Retention after deletion.' }),
      ),
      createMode: Type.Optional(oneOf('Default', 'Recover')),
    }),
  ),
})
export interface ConfigurationStore extends Static<typeof ConfigurationStore> {}

const StoreInput = writable(ConfigurationStore)
export interface StoreInput extends Static<typeof StoreInput> {}

const StoreUpdate = named('ConfigurationStoreUpdateParameters', {
  tags: Type.Optional(Tags),
  sku: Type.Optional(Sku),
  identity: Type.Optional(Identity),
  properties: Type.Optional(
    named('ConfigurationStorePropertiesUpdateParameters', { encryption: Type.Optional(Encryption), ...accessSettings }),
  ),
})
export interface StoreUpdate extends Static<typeof StoreUpdate> {}

const family = resourceFamily(api, 'configurationStores', 'configStoreName', {
  noun: 'configuration store',
  one: ConfigurationStore,
  many: listOf('ConfigurationStoreListResult', ConfigurationStore),
  page: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
  put: {
    summary: 'Create, replace or recover a configuration store. Continues in the background if the response is 201.',
    body: StoreInput,
    replies: { 200: ConfigurationStore, 201: ConfigurationStore },
  },
  patch: {
    summary: 'Change a configuration store. Continues in the background if the response is 201.',
    body: StoreUpdate,
    replies: { 200: ConfigurationStore, 201: ConfigurationStore },
  },
  delete: {
    summary: 'Delete a configuration store, in the background. It can be recovered until its retention ends.',
    replies: { 200: null, 202: null, 204: null },
  },
})

export const stores = {
  list: family.list,
  listByResourceGroup: family.listByResourceGroup,
  get: family.get,
  create: family.put,
  update: family.patch,
  delete: family.delete,
  checkNameAvailability: api.post(api.inSubscription('/checkNameAvailability'), {
    summary: 'Check whether a name is available for a configuration store.',
    body: named('CheckNameAvailabilityParameters', {
      name: Type.String({ maxLength: 1000 }),
      type: Type.String({ pattern: '^\\w{1,50}\\.AppConfiguration/configurationStores$' }),
    }),
    reads: true,
    replies: {
      200: named('NameAvailabilityStatus', {
        nameAvailable: Type.Boolean(),
        reason: Type.Optional(Type.String()),
        message: Type.Optional(Type.String()),
      }),
    },
  }),
}
