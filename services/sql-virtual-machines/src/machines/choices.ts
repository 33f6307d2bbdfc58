import { Failure, invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import type { Workload } from '../hosting/configuration.ts'
import type { Login } from '../hosting/roles.ts'
import { adminRole, imageOffer } from '../names.ts'
import { unsupported } from '../unsupported.ts'
import type { Expandable, MachineInput, PropertiesInput } from './contract.ts'

/** The stored settings of a machine, without secrets. */
export type Settings = Pick<PropertiesInput, Expandable>

type Of<K extends Expandable> = NonNullable<PropertiesInput[K]>

/** Rejects unsupported properties by name. */
export function refuseUnsupported({ identity, properties = {} }: Pick<MachineInput, 'identity' | 'properties'>): void {
  if (identity) notSupported(unsupported.identity)
  checkOffer(properties.sqlImageOffer)
  if (properties.wsfcDomainCredentials) notSupported(unsupported.domainCredentials)
  const { enable, ...more } = properties.keyVaultCredentialSettings ?? {}
  if (enable || Object.keys(more).length > 0) notSupported(unsupported.keyVault, 'keyVaultCredentialSettings')
  refuseBackup(properties.autoBackupSettings ?? {})
  refuseStorage(properties.storageConfigurationSettings ?? {})
  refuseServer(properties.serverConfigurationsManagementSettings ?? {})
  const { sqlManagement = 'Full' } = properties
  const isManaged = properties.autoBackupSettings?.enable || properties.autoPatchingSettings?.enable
  if (sqlManagement !== 'Full' && isManaged)
    invalid([{ at: 'body/properties/sqlManagement', message: 'must be Full for automatic backups and patching' }])
}

export function checkOffer(offer: string | undefined): void {
  if (offer !== undefined && offer.toLowerCase() !== imageOffer.toLowerCase())
    notSupported(unsupported.image, `sqlImageOffer ${offer}`)
}

function refuseBackup(backup: Of<'autoBackupSettings'>): void {
  for (const name of ['storageAccountUrl', 'storageAccessKey', 'password'] as const)
    if (backup[name] !== undefined) notSupported(unsupported.backupStorage, name)
  if (backup.logBackupFrequency !== undefined) notSupported(unsupported.logBackup)
  if (backup.backupSystemDbs) notSupported(unsupported.systemBackup)
}

function refuseStorage(storage: Of<'storageConfigurationSettings'>): void {
  const { diskConfigurationType = 'NEW' } = storage
  if (diskConfigurationType !== 'NEW') notSupported(unsupported.disks, `diskConfigurationType ${diskConfigurationType}`)
  for (const name of ['sqlDataSettings', 'sqlLogSettings', 'sqlTempDbSettings'] as const)
    if (storage[name]) notSupported(unsupported.disks, name)
}

function refuseServer(server: Of<'serverConfigurationsManagementSettings'>): void {
  if (server.sqlStorageUpdateSettings) notSupported(unsupported.disks, 'sqlStorageUpdateSettings')
  if (server.additionalFeaturesServerConfigurations?.isRServicesEnabled) notSupported(unsupported.rServices)
  const at = 'body/properties/serverConfigurationsManagementSettings/sqlConnectivityUpdateSettings'
  const { sqlAuthUpdateUserName: name, sqlAuthUpdatePassword: password } = server.sqlConnectivityUpdateSettings ?? {}
  if ((name === undefined) !== (password === undefined))
    invalid([{ at, message: 'needs both sqlAuthUpdateUserName and sqlAuthUpdatePassword' }])
  if (name !== undefined && (/^pg/.test(name) || [adminRole, 'postgres', 'public', 'none'].includes(name)))
    throw new Failure('invalid', `'${name}' is a role of the machine itself: choose another name.`)
}

const connectivityOf = (settings: Settings) =>
  settings.serverConfigurationsManagementSettings?.sqlConnectivityUpdateSettings

/** Separates the stored settings from the sign-in among them. */
export function readSettings(properties: PropertiesInput): { settings: Settings; login: Login | undefined } {
  const { autoBackupSettings, autoPatchingSettings, keyVaultCredentialSettings, storageConfigurationSettings } =
    properties
  const server = properties.serverConfigurationsManagementSettings
  const { sqlAuthUpdatePassword: password, ...connectivity } = server?.sqlConnectivityUpdateSettings ?? {}
  const name = connectivity.sqlAuthUpdateUserName
  const settings: Settings = {
    ...(autoBackupSettings && { autoBackupSettings }),
    ...(autoPatchingSettings && { autoPatchingSettings }),
    ...(keyVaultCredentialSettings && { keyVaultCredentialSettings }),
    ...(storageConfigurationSettings && { storageConfigurationSettings }),
    ...(server && {
      serverConfigurationsManagementSettings: {
        ...server,
        ...(server.sqlConnectivityUpdateSettings && { sqlConnectivityUpdateSettings: connectivity }),
      },
    }),
  }
  return { settings, login: name !== undefined && password !== undefined ? { name, password } : undefined }
}

export const portOf = (settings: Settings) => connectivityOf(settings)?.port
export const isLocal = (settings: Settings) => connectivityOf(settings)?.connectivityType === 'LOCAL'

/** Of two equivalent settings of the original, the later one. */
export const workloadOf = (settings: Settings): Workload =>
  settings.serverConfigurationsManagementSettings?.sqlWorkloadTypeUpdateSettings?.sqlWorkloadType ??
  settings.storageConfigurationSettings?.storageWorkloadType ??
  'GENERAL'

/** Whether the change requires a restart of PostgreSQL. */
export const needsRestart = (before: Settings, after: Settings) =>
  workloadOf(before) !== workloadOf(after) || isLocal(before) !== isLocal(after)
