import { accountOf } from '@icosa/dialects/signed/arn'
import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import { vaultArn } from '../vaults/view.ts'
import type { CopyJob } from './contract.ts'
import type { CopyJobRow } from './store.ts'

export function toCopyJob(region: string, row: CopyJobRow): CopyJob {
  const { tenant } = row
  const pointArn = (id: string) => ownArn({ tenant, region }, 'recovery-point', id)
  return {
    AccountId: accountOf(tenant),
    CopyJobId: row.id,
    SourceBackupVaultArn: vaultArn(region, tenant, row.sourceVault),
    SourceRecoveryPointArn: pointArn(row.sourcePointId),
    DestinationBackupVaultArn: vaultArn(region, tenant, row.vault),
    ...(row.state === 'COMPLETED' && { DestinationRecoveryPointArn: pointArn(row.pointId) }),
    ResourceArn: row.resourceArn,
    ResourceType: row.resourceType,
    ResourceName: row.resourceName,
    CreationDate: seconds(row.createdAt),
    ...timed('CompletionDate', row.completedAt),
    State: row.state,
    ...(row.message !== null && { StatusMessage: row.message }),
    BackupSizeInBytes: row.bytes,
    IamRoleArn: row.roleArn,
    ...(row.createdBy && { CreatedBy: row.createdBy }),
    IsParent: false,
    NumberOfChildJobs: 0,
    ChildJobsInState: {},
  }
}
