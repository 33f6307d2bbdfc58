import { accountOf } from '@icosa/dialects/signed/arn'
import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import { vaultArn } from '../vaults/view.ts'
import type { BackupJob } from './contract.ts'
import type { BackupJobRow } from './store.ts'

export function toBackupJob(region: string, row: BackupJobRow): BackupJob {
  const { tenant, state, bytes } = row
  return {
    AccountId: accountOf(tenant),
    BackupJobId: row.id,
    BackupVaultName: row.vault,
    BackupVaultArn: vaultArn(region, tenant, row.vault),
    RecoveryPointArn: ownArn({ tenant, region }, 'recovery-point', row.pointId),
    ResourceArn: row.resourceArn,
    ResourceType: row.resourceType,
    ResourceName: row.resourceName,
    CreationDate: seconds(row.createdAt),
    InitiationDate: seconds(row.createdAt),
    ...timed('CompletionDate', row.completedAt),
    StartBy: seconds(row.startBy),
    ExpectedCompletionDate: seconds(row.completeBy),
    State: state,
    ...(row.message !== null && { StatusMessage: row.message }),
    PercentDone: state === 'COMPLETED' ? '100.0' : '0.0',
    ...(bytes !== null && { BackupSizeInBytes: bytes, BytesTransferred: bytes }),
    IamRoleArn: row.roleArn,
    ...(row.createdBy && { CreatedBy: row.createdBy }),
    BackupOptions: { ...row.options },
    IsParent: false,
    MessageCategory: categoryOf(row),
  }
}

export const categoryOf = ({ state }: Pick<BackupJobRow, 'state'>) =>
  ({ COMPLETED: 'SUCCESS', FAILED: 'FAILURE', ABORTED: 'ABORTED', EXPIRED: 'EXPIRED' })[state as string] ?? 'OTHER'
