import { extension, having, named, oneOf, readOnly, type Schema, type Static, Type, writable } from '@icosa/contract'
import { arm, listOf, namespaced, plainName, Tags, trackedFields } from '@icosa/dialects/arm'

import { versions } from '../names.ts'

/** Valid names, in paths and in ids. */
export const names = {
  resourceGroupName: Type.String({
    pattern: '^[\\p{L}\\p{N}_.()\\-]{1,90}$',
    description: '1 to 90 letters, digits, _ . ( ) -',
  }),
  serverName: plainName(63),
  databaseName: Type.String({
    pattern: '^[\\p{L}\\p{N}_()\\-](?:[\\p{L}\\p{N}_.() \\-]{0,126}[\\p{L}\\p{N}_()\\-])?$',
    description: '1 to 128 letters, digits, blanks, _ . ( ) -, with neither a blank nor . at its ends',
  }),
  elasticPoolName: plainName(128),
  firewallRuleName: plainName(128),
  restorableDroppedDatabaseId: Type.String({
    pattern: '^[\\p{L}\\p{N}_.() \\-]{1,128},\\d{17,18}$',
    description: 'the name of a database, a comma, and when it was deleted as a Windows file time',
  }),
}

export const api = arm('Vendor.Sql', names, versions[0])
const { get, put, patch, post, delete: remove, inGroup } = api

const optional = Type.Optional
const responseOnly = <S extends Schema>(schema: S) => readOnly(Type.Optional(schema))
const DateTime = Type.String({ format: 'date-time' })
const Int32 = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

export const Sku = named('Sku', {
  name: Type.String({ maxLength: 50 }),
  tier: optional(Type.String({ maxLength: 50 })),
  capacity: optional(Int32),
  family: optional(Type.String({ maxLength: 50 })),
  size: optional(Type.String({ maxLength: 50 })),
})
export interface Sku extends Static<typeof Sku> {}

const CreateMode = oneOf(
  'Default',
  'Copy',
  'Secondary',
  'PointInTimeRestore',
  'Restore',
  'Recovery',
  'RestoreExternalBackup',
  'RestoreExternalBackupSecondary',
  'RestoreLongTermRetentionBackup',
  'OnlineSecondary',
)

const Status = oneOf(
  'Online',
  'Restoring',
  'RecoveryPending',
  'Recovering',
  'Suspect',
  'Offline',
  'Standby',
  'Shutdown',
  'EmergencyMode',
  'AutoClosed',
  'Copying',
  'Creating',
  'Inaccessible',
  'OfflineSecondary',
  'Pausing',
  'Paused',
  'Resuming',
  'Scaling',
  'OfflineChangingDwPerformanceTiers',
  'OnlineChangingDwPerformanceTiers',
  'Disabled',
)
export type Status = Static<typeof Status>

const StorageState = oneOf('ReadWrite', 'ReadOnly', 'Closed')
export type StorageState = Static<typeof StorageState>

export const LicenseType = oneOf('LicenseIncluded', 'BasePrice')
export type LicenseType = Static<typeof LicenseType>

const SampleName = oneOf('AdventureWorksLT', 'WideWorldImportersStd', 'WideWorldImportersFull')
export type SampleName = Static<typeof SampleName>

/** Below 16 megabytes an empty database would already be too large. */
export const Size = Type.Integer({ minimum: 2 ** 24, maximum: 2 ** 50 })

const DatabaseProperties = named('DatabaseProperties', {
  autoPauseDelay: optional(Type.Integer({ minimum: -1, maximum: 2 ** 31 - 1 })),
  catalogCollation: optional(oneOf('DATABASE_DEFAULT', 'SQL_Latin1_General_CP1_CI_AS')),
  collation: optional(Type.String({ minLength: 1, maxLength: 100 })),
  createMode: optional(CreateMode),
  creationDate: responseOnly(DateTime),
  currentServiceObjectiveName: responseOnly(Type.String()),
  currentSku: responseOnly(Type.Union(Sku)),
  databaseId: responseOnly(Type.String({ format: 'uuid' })),
  defaultSecondaryLocation: responseOnly(Type.String()),
  earliestRestoreDate: responseOnly(DateTime),
  elasticPoolId: optional(namespaced({ maxLength: 1000 })),
  failoverGroupId: responseOnly(Type.String()),
  hostCollation: extension(responseOnly(Type.String())),
  licenseType: optional(LicenseType),
  longTermRetentionBackupResourceId: optional(Type.String()),
  maxConnections: extension(optional(Type.Integer({ minimum: 1, maximum: 100_000 }))),
  maxLogSizeBytes: responseOnly(Type.Integer()),
  maxSizeBytes: optional(Size),
  minCapacity: optional(Type.Number()),
  pausedDate: responseOnly(DateTime),
  readReplicaCount: optional(Int32),
  readScale: optional(oneOf('Enabled', 'Disabled')),
  recoverableDatabaseId: optional(Type.String()),
  recoveryServicesRecoveryPointId: optional(Type.String()),
  requestedServiceObjectiveName: responseOnly(Type.String()),
  restorableDroppedDatabaseId: optional(Type.String()),
  restorePointInTime: optional(DateTime),
  resumedDate: responseOnly(DateTime),
  sampleName: optional(SampleName),
  sourceDatabaseDeletionDate: optional(DateTime),
  sourceDatabaseId: optional(Type.String({ maxLength: 1000 })),
  status: responseOnly(Status),
  storageState: extension(responseOnly(StorageState)),
  zoneRedundant: optional(Type.Boolean()),
})

export const Database = named('Database', {
  ...trackedFields,
  location: Type.String({ pattern: '^[A-Za-z0-9 ._()-]{1,100}$' }),
  kind: responseOnly(Type.String()),
  managedBy: responseOnly(Type.String()),
  properties: optional(DatabaseProperties),
  sku: optional(Sku),
})
export interface Database extends Static<typeof Database> {}

const PropertiesInput = writable(DatabaseProperties)
export interface PropertiesInput extends Static<typeof PropertiesInput> {}

const DatabaseInput = having(writable(Database), { properties: optional(PropertiesInput) })
export interface DatabaseInput extends Static<typeof DatabaseInput> {}

const DatabaseUpdate = named('DatabaseUpdate', {
  properties: optional(PropertiesInput),
  sku: optional(Sku),
  tags: optional(Tags),
})
export interface DatabaseUpdate extends Static<typeof DatabaseUpdate> {}

const DatabaseListResult = listOf('DatabaseListResult', Database)
const ResourceMoveDefinition = named('ResourceMoveDefinition', { id: Type.String({ maxLength: 1000 }) })

const DatabaseCredentials = named('DatabaseCredentials', {
  host: Type.String(),
  port: Type.Integer(),
  database: Type.String(),
  user: Type.String(),
  password: Type.String(),
  connectionString: Type.String(),
})

const path = '/servers/{serverName}/databases/{databaseName}'
const page = { $skipToken: optional(Type.String({ maxLength: 2000 })) }

export const databases = {
  listByServer: get(inGroup('/servers/{serverName}/databases'), {
    summary: 'List the databases of a server.',
    query: page,
    replies: { 200: DatabaseListResult },
  }),
  get: get(inGroup(path), { summary: 'Read a database.', replies: { 200: Database } }),
  createOrUpdate: put(inGroup(path), {
    summary: 'Create or change a database. Continues in the background.',
    body: DatabaseInput,
    replies: { 200: Database, 201: Database, 202: null },
  }),
  delete: remove(inGroup(path), {
    summary: 'Delete a database and its data. Continues in the background.',
    replies: { 200: null, 202: null, 204: null },
  }),
  update: patch(inGroup(path), {
    summary: 'Change the tier, the limits or the tags of a database.',
    body: DatabaseUpdate,
    replies: { 200: Database, 202: null },
  }),
  listByElasticPool: get(inGroup('/servers/{serverName}/elasticPools/{elasticPoolName}/databases'), {
    summary: 'List the databases of an elastic pool.',
    query: page,
    replies: { 200: DatabaseListResult },
  }),
  pause: post(inGroup(`${path}/pause`), {
    summary: 'Pause a database. Connections are refused; its data is kept.',
    replies: { 200: Database, 202: null },
  }),
  resume: post(inGroup(`${path}/resume`), {
    summary: 'Resume a paused database, which then accepts connections again.',
    replies: { 200: Database, 202: null },
  }),
  upgradeDataWarehouse: post(inGroup(`${path}/upgradeDataWarehouse`), {
    summary: 'Upgrade a data warehouse to the second generation of its tier.',
    replies: { 200: null, 202: null },
  }),
  rename: post(inGroup(`${path}/move`), {
    summary: 'Rename a database on its server.',
    body: ResourceMoveDefinition,
    replies: { 200: null },
  }),
  listCredentials: post(inGroup(`${path}/listCredentials`), {
    summary: 'Read the address and the credentials of a database.',
    replies: { 200: DatabaseCredentials },
    extension: true,
    reads: true,
  }),
}
