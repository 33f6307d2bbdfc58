import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  CalculatedLifecycle,
  count,
  DateTime,
  flag,
  Lifecycle,
  Nothing,
  next,
  opt,
  paged,
  RecoveryPointCreator,
  Text,
  Texts,
  text,
  time,
  VaultType,
} from '../shapes/contract.ts'

const Status = oneOf('COMPLETED', 'PARTIAL', 'DELETING', 'EXPIRED')

const point = {
  RecoveryPointArn: text,
  BackupVaultName: text,
  BackupVaultArn: text,
  SourceBackupVaultArn: text,
  ResourceArn: text,
  ResourceType: text,
  CreatedBy: opt(RecoveryPointCreator),
  IamRoleArn: text,
  Status: opt(Status),
  StatusMessage: text,
  CreationDate: time,
  CompletionDate: time,
  BackupSizeInBytes: count,
  CalculatedLifecycle: opt(CalculatedLifecycle),
  Lifecycle: opt(Lifecycle),
  EncryptionKeyArn: text,
  IsEncrypted: flag,
  LastRestoreTime: time,
  ParentRecoveryPointArn: text,
  CompositeMemberIdentifier: text,
  IsParent: flag,
  ResourceName: text,
  VaultType: opt(VaultType),
}
const RecoveryPoint = named('DescribeRecoveryPointOutput', {
  ...point,
  StorageClass: opt(oneOf('WARM', 'COLD', 'DELETED')),
})
export type RecoveryPoint = Static<typeof RecoveryPoint>

const at = '/backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}' as const
const account = { backupVaultAccountId: opt(Text) }

export const recoveryPoints = {
  DescribeRecoveryPoint: api.get(at, {
    summary: 'Read a recovery point.',
    query: Type.Object(account),
    replies: { 200: RecoveryPoint },
  }),
  DeleteRecoveryPoint: api.delete(at, {
    summary: 'Delete a recovery point and its data.',
    replies: { 200: Nothing },
  }),
  ...extensions({
    UpdateRecoveryPointLifecycle: api.post(at, {
      summary: 'Change the retention of a recovery point.',
      body: named('UpdateRecoveryPointLifecycleInput', { Lifecycle: opt(Lifecycle) }),
      replies: {
        200: named('UpdateRecoveryPointLifecycleOutput', {
          BackupVaultArn: text,
          RecoveryPointArn: text,
          Lifecycle: opt(Lifecycle),
          CalculatedLifecycle: opt(CalculatedLifecycle),
        }),
      },
    }),
    DisassociateRecoveryPoint: api.post(`${at}/disassociate`, {
      summary: 'Disassociate a continuous recovery point from its resource.',
      replies: { 200: Nothing },
    }),
    DisassociateRecoveryPointFromParent: api.delete(`${at}/parentAssociation`, {
      summary: 'Disassociate a recovery point from its parent.',
      replies: { 204: null },
    }),
    GetRecoveryPointRestoreMetadata: api.get(`${at}/restore-metadata`, {
      summary: 'Read the metadata for restoring a recovery point unchanged.',
      query: Type.Object(account),
      replies: {
        200: named('GetRecoveryPointRestoreMetadataOutput', {
          BackupVaultArn: text,
          RecoveryPointArn: text,
          RestoreMetadata: opt(Texts),
          ResourceType: text,
        }),
      },
    }),
    ListRecoveryPointsByBackupVault: api.get('/backup-vaults/{backupVaultName}/recovery-points/', {
      summary: 'List the recovery points of a vault, the newest first.',
      query: Type.Object({
        ...paged,
        ...account,
        resourceArn: opt(Arn),
        resourceType: opt(Text),
        backupPlanId: opt(Text),
        createdBefore: opt(DateTime),
        createdAfter: opt(DateTime),
        parentRecoveryPointArn: opt(Arn),
      }),
      replies: {
        200: named('ListRecoveryPointsByBackupVaultOutput', {
          RecoveryPoints: Type.Array(named('RecoveryPointByBackupVault', point)),
          ...next,
        }),
      },
    }),
    ListRecoveryPointsByResource: api.get('/resources/{resourceArn}/recovery-points/', {
      summary: 'List the recovery points of a resource, the newest first.',
      query: Type.Object({ ...paged, managedByAWSBackupOnly: flag }),
      replies: {
        200: named('ListRecoveryPointsByResourceOutput', {
          RecoveryPoints: Type.Array(
            named('RecoveryPointByResource', {
              RecoveryPointArn: text,
              CreationDate: time,
              Status: opt(Status),
              StatusMessage: text,
              EncryptionKeyArn: text,
              BackupSizeBytes: count,
              BackupVaultName: text,
              IsParent: flag,
              ParentRecoveryPointArn: text,
              ResourceName: text,
              VaultType: opt(VaultType),
            }),
          ),
          ...next,
        }),
      },
    }),
  }),
}
