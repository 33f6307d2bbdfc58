import { extension, having, named, oneOf, readOnly, type Schema, type Static, Type, writable } from '@icosa/contract'
import { listOf, namespaced, resourceFamily, Tags, trackedFields } from '@icosa/dialects/arm'
import { api, ImageSku, location, page } from '../api/contract.ts'
import { groupAt, InstanceState } from '../groups/contract.ts'

const optional = Type.Optional
const responseOnly = <S extends Schema>(schema: S) => readOnly(optional(schema))
const text = (maxLength = 1024) => optional(Type.String({ maxLength }))
const flag = () => optional(Type.Boolean())
const whole = (minimum: number, maximum: number) => optional(Type.Integer({ minimum, maximum }))

const AutoBackupSettings = named('AutoBackupSettings', {
  backupScheduleType: optional(oneOf('Manual', 'Automated')),
  backupSystemDbs: flag(),
  enable: flag(),
  enableEncryption: flag(),
  fullBackupFrequency: optional(oneOf('Daily', 'Weekly')),
  fullBackupStartTime: whole(0, 23),
  fullBackupWindowHours: whole(1, 23),
  logBackupFrequency: whole(5, 60),
  password: text(),
  retentionPeriod: whole(1, 30),
  storageAccessKey: text(),
  storageAccountUrl: text(),
})
export interface AutoBackupSettings extends Static<typeof AutoBackupSettings> {}

export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const AutoPatchingSettings = named('AutoPatchingSettings', {
  dayOfWeek: optional(oneOf(...days)),
  enable: flag(),
  maintenanceWindowDuration: whole(30, 180),
  maintenanceWindowStartingHour: whole(0, 23),
})
export interface AutoPatchingSettings extends Static<typeof AutoPatchingSettings> {}

const KeyVaultCredentialSettings = named('KeyVaultCredentialSettings', {
  azureKeyVaultUrl: text(),
  credentialName: text(),
  enable: flag(),
  servicePrincipalName: text(),
  servicePrincipalSecret: text(),
})

const Workload = oneOf('GENERAL', 'OLTP', 'DW')
const DiskConfiguration = oneOf('NEW', 'EXTEND', 'ADD')
const Port = optional(Type.Integer({ minimum: 1024, maximum: 65_535 }))

const ServerConfigurations = named('ServerConfigurationsManagementSettings', {
  additionalFeaturesServerConfigurations: optional(
    named('AdditionalFeaturesServerConfigurations', { isRServicesEnabled: flag() }),
  ),
  sqlConnectivityUpdateSettings: optional(
    named('SqlConnectivityUpdateSettings', {
      connectivityType: optional(oneOf('LOCAL', 'PRIVATE', 'PUBLIC')),
      port: Port,
      sqlAuthUpdatePassword: optional(Type.String({ minLength: 8, maxLength: 128 })),
      sqlAuthUpdateUserName: optional(
        Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', description: 'Small letters, digits and _, a letter first.' }),
      ),
    }),
  ),
  sqlStorageUpdateSettings: optional(
    named('SqlStorageUpdateSettings', {
      diskConfigurationType: optional(DiskConfiguration),
      diskCount: whole(0, 64),
      startingDeviceId: whole(0, 64),
    }),
  ),
  sqlWorkloadTypeUpdateSettings: optional(
    named('SqlWorkloadTypeUpdateSettings', { sqlWorkloadType: optional(Workload) }),
  ),
})

const StorageSettings = named('SQLStorageSettings', {
  defaultFilePath: text(),
  luns: optional(Type.Array(Type.Integer({ minimum: 0, maximum: 63 }), { maxItems: 64 })),
})

const StorageConfigurationSettings = named('StorageConfigurationSettings', {
  diskConfigurationType: optional(DiskConfiguration),
  sqlDataSettings: optional(StorageSettings),
  sqlLogSettings: optional(StorageSettings),
  sqlTempDbSettings: optional(StorageSettings),
  storageWorkloadType: optional(Workload),
})

const WsfcDomainCredentials = named('WsfcDomainCredentials', {
  clusterBootstrapAccountPassword: text(),
  clusterOperatorAccountPassword: text(),
  sqlServiceAccountPassword: text(),
})

export const Management = oneOf('Full', 'LightWeight', 'NoAgent')
export type Management = Static<typeof Management>
export const License = oneOf('PAYG', 'AHUB', 'DR')
export type License = Static<typeof License>

const MachineProperties = named('SqlVirtualMachineProperties', {
  autoBackupSettings: optional(AutoBackupSettings),
  autoPatchingSettings: optional(AutoPatchingSettings),
  instance: extension(responseOnly(InstanceState)),
  keyVaultCredentialSettings: optional(KeyVaultCredentialSettings),
  provisioningError: extension(responseOnly(Type.String())),
  provisioningState: responseOnly(Type.String()),
  serverConfigurationsManagementSettings: optional(ServerConfigurations),
  sqlImageOffer: optional(Type.String({ minLength: 1, maxLength: 100 })),
  sqlImageSku: optional(ImageSku),
  sqlManagement: optional(Management),
  sqlServerLicenseType: optional(License),
  sqlVirtualMachineGroupResourceId: optional(namespaced({ maxLength: 1000 })),
  storageConfigurationSettings: optional(StorageConfigurationSettings),
  virtualMachineResourceId: optional(Type.String({ maxLength: 1000 })),
  wsfcDomainCredentials: optional(WsfcDomainCredentials),
})

const ResourceIdentity = named('ResourceIdentity', { type: optional(oneOf('SystemAssigned')) })

export const Machine = named('SqlVirtualMachine', {
  ...trackedFields,
  location,
  identity: optional(ResourceIdentity),
  properties: optional(MachineProperties),
})
export interface Machine extends Static<typeof Machine> {}

const PropertiesInput = writable(MachineProperties)
export interface PropertiesInput extends Static<typeof PropertiesInput> {}
const MachineInput = having(writable(Machine), { properties: optional(PropertiesInput) })
export interface MachineInput extends Static<typeof MachineInput> {}

export const Credentials = named('MachineCredentials', {
  host: Type.String(),
  port: Type.Integer(),
  database: Type.String(),
  user: Type.String(),
  password: Type.String(),
  connectionString: Type.String(),
})

const SqlVirtualMachineListResult = listOf('SqlVirtualMachineListResult', Machine)

const family = resourceFamily(api, 'sqlVirtualMachines', 'sqlVirtualMachineName', {
  noun: 'SQL virtual machine',
  one: Machine,
  many: SqlVirtualMachineListResult,
  page,
  put: {
    summary: 'Create or change a SQL virtual machine. Continues in the background.',
    body: MachineInput,
    replies: { 200: Machine, 201: Machine },
  },
  patch: {
    summary: 'Change the tags of a SQL virtual machine.',
    body: named('SqlVirtualMachineUpdate', { tags: optional(Tags) }),
    replies: { 200: Machine },
  },
  delete: {
    summary: 'Delete a SQL virtual machine and its data. Continues in the background.',
    replies: { 200: null, 202: null, 204: null },
  },
})

/** Settings that are returned on request. */
export const expandable = [
  'autoBackupSettings',
  'autoPatchingSettings',
  'keyVaultCredentialSettings',
  'serverConfigurationsManagementSettings',
  'storageConfigurationSettings',
] as const
export type Expandable = (typeof expandable)[number]

export const machineAt = family.at

const expandPattern = `^(\\*|(${expandable.join('|')})(,(${expandable.join('|')})){0,4})$`

export const machines = {
  listBySqlVmGroup: api.get(`${groupAt}/sqlVirtualMachines`, {
    summary: 'List the SQL virtual machines of a group.',
    query: page,
    replies: { 200: SqlVirtualMachineListResult },
  }),
  list: family.list,
  get: api.get(machineAt, {
    summary: 'Read a SQL virtual machine.',
    query: {
      $expand: optional(
        Type.String({
          pattern: expandPattern,
          description: `* or some of ${expandable.join(', ')}: settings to return.`,
        }),
      ),
    },
    replies: { 200: Machine },
  }),
  createOrUpdate: family.put,
  delete: family.delete,
  update: family.patch,
  listByResourceGroup: family.listByResourceGroup,
  listCredentials: api.post(`${machineAt}/listCredentials`, {
    summary: 'Read the address and the credentials of a machine.',
    replies: { 200: Credentials },
    extension: true,
    reads: true,
  }),
  restart: api.post(`${machineAt}/restart`, {
    summary: 'Restart the machine. Continues in the background.',
    replies: { 202: null },
    extension: true,
  }),
}
