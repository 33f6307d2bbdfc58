import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  count,
  Days,
  flag,
  Nothing,
  newVault,
  next,
  opt,
  paged,
  Tags,
  Text,
  Time,
  text,
  time,
  VaultType,
} from '../shapes/contract.ts'

const VaultState = oneOf('CREATING', 'AVAILABLE', 'FAILED')

const vault = {
  BackupVaultName: text,
  BackupVaultArn: text,
  VaultType: opt(VaultType),
  VaultState: opt(VaultState),
  EncryptionKeyArn: text,
  CreationDate: time,
  CreatorRequestId: text,
  NumberOfRecoveryPoints: count,
  Locked: flag,
  MinRetentionDays: count,
  MaxRetentionDays: count,
  LockDate: time,
}
const Vault = named('DescribeBackupVaultOutput', vault)
export type Vault = Static<typeof Vault>

const created = { BackupVaultName: Type.String(), BackupVaultArn: Type.String(), CreationDate: Time }

export const vaultEvents = [
  'BACKUP_JOB_STARTED',
  'BACKUP_JOB_COMPLETED',
  'BACKUP_JOB_SUCCESSFUL',
  'BACKUP_JOB_FAILED',
  'BACKUP_JOB_EXPIRED',
  'RESTORE_JOB_STARTED',
  'RESTORE_JOB_COMPLETED',
  'RESTORE_JOB_SUCCESSFUL',
  'RESTORE_JOB_FAILED',
  'COPY_JOB_STARTED',
  'COPY_JOB_SUCCESSFUL',
  'COPY_JOB_FAILED',
  'RECOVERY_POINT_MODIFIED',
  'BACKUP_PLAN_CREATED',
  'BACKUP_PLAN_MODIFIED',
  'S3_BACKUP_OBJECT_FAILED',
  'S3_RESTORE_OBJECT_FAILED',
] as const
export type VaultEvent = (typeof vaultEvents)[number]
const Events = Type.Array(oneOf(...vaultEvents), { minItems: 1, maxItems: vaultEvents.length })

export const vaults = {
  CreateBackupVault: api.put('/backup-vaults/{backupVaultName}', {
    summary: 'Create a vault. Its data is encrypted with a key of its own.',
    params: newVault,
    body: named('CreateBackupVaultInput', {
      BackupVaultTags: opt(Tags),
      EncryptionKeyArn: opt(Arn),
      CreatorRequestId: opt(Text),
    }),
    replies: { 200: named('CreateBackupVaultOutput', created) },
  }),
  CreateLogicallyAirGappedBackupVault: api.put('/logically-air-gapped-backup-vaults/{backupVaultName}', {
    summary: 'Create a permanently locked vault that only accepts copies.',
    params: newVault,
    body: named('CreateLogicallyAirGappedBackupVaultInput', {
      BackupVaultTags: opt(Tags),
      CreatorRequestId: opt(Text),
      MinRetentionDays: Days,
      MaxRetentionDays: Days,
    }),
    replies: { 200: named('CreateLogicallyAirGappedBackupVaultOutput', { ...created, VaultState }) },
  }),
  DescribeBackupVault: api.get('/backup-vaults/{backupVaultName}', {
    summary: 'Read a vault.',
    query: Type.Object({ backupVaultAccountId: opt(Text) }),
    replies: { 200: Vault },
  }),
  ListBackupVaults: api.get('/backup-vaults/', {
    summary: 'List the vaults.',
    extension: true,
    query: Type.Object({ ...paged, vaultType: opt(VaultType), shared: flag }),
    replies: {
      200: named('ListBackupVaultsOutput', {
        BackupVaultList: Type.Array(named('BackupVaultListMember', vault)),
        ...next,
      }),
    },
  }),
  DeleteBackupVault: api.delete('/backup-vaults/{backupVaultName}', {
    summary: 'Delete a vault without recovery points.',
    replies: { 200: Nothing },
  }),
  PutBackupVaultLockConfiguration: api.put('/backup-vaults/{backupVaultName}/vault-lock', {
    summary:
      'Lock a vault; permanently, if a grace period in days is given during which the lock can still be changed.',
    extension: true,
    body: named('PutBackupVaultLockConfigurationInput', {
      MinRetentionDays: opt(Days),
      MaxRetentionDays: opt(Days),
      ChangeableForDays: opt(Type.Integer({ minimum: 3, maximum: 36_500 })),
    }),
    replies: { 200: Nothing },
  }),
  DeleteBackupVaultLockConfiguration: api.delete('/backup-vaults/{backupVaultName}/vault-lock', {
    summary: 'Unlock a vault that is not locked permanently.',
    replies: { 200: Nothing },
  }),
  PutBackupVaultAccessPolicy: api.put('/backup-vaults/{backupVaultName}/access-policy', {
    summary: 'Set the access policy of a vault.',
    extension: true,
    body: named('PutBackupVaultAccessPolicyInput', { Policy: opt(Type.String({ maxLength: 16_384 })) }),
    replies: { 200: Nothing },
  }),
  GetBackupVaultAccessPolicy: api.get('/backup-vaults/{backupVaultName}/access-policy', {
    summary: 'Read the access policy of a vault.',
    extension: true,
    replies: {
      200: named('GetBackupVaultAccessPolicyOutput', { BackupVaultName: text, BackupVaultArn: text, Policy: text }),
    },
  }),
  DeleteBackupVaultAccessPolicy: api.delete('/backup-vaults/{backupVaultName}/access-policy', {
    summary: 'Delete the access policy of a vault.',
    replies: { 200: Nothing },
  }),
  PutBackupVaultNotifications: api.put('/backup-vaults/{backupVaultName}/notification-configuration', {
    summary: 'Subscribe a topic to events of a vault.',
    extension: true,
    body: named('PutBackupVaultNotificationsInput', { SNSTopicArn: Arn, BackupVaultEvents: Events }),
    replies: { 200: Nothing },
  }),
  GetBackupVaultNotifications: api.get('/backup-vaults/{backupVaultName}/notification-configuration', {
    summary: 'Read the event subscription of a vault: its topic and events.',
    extension: true,
    replies: {
      200: named('GetBackupVaultNotificationsOutput', {
        BackupVaultName: text,
        BackupVaultArn: text,
        SNSTopicArn: text,
        BackupVaultEvents: opt(Type.Array(oneOf(...vaultEvents))),
      }),
    },
  }),
  DeleteBackupVaultNotifications: api.delete('/backup-vaults/{backupVaultName}/notification-configuration', {
    summary: 'Unsubscribe the topic of a vault.',
    replies: { 200: Nothing },
  }),
}
