import { accountOf } from '@icosa/dialects/signed/arn'
import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import type { RestoreJob } from './contract.ts'
import type { RestoreJobRow } from './store.ts'

export function toRestoreJob(region: string, row: RestoreJobRow): RestoreJob {
  const { tenant, status } = row
  return {
    AccountId: accountOf(tenant),
    RestoreJobId: row.id,
    RecoveryPointArn: ownArn({ tenant, region }, 'recovery-point', row.pointId),
    CreationDate: seconds(row.createdAt),
    ...timed('CompletionDate', row.completedAt),
    Status: status,
    ...(row.message !== null && { StatusMessage: row.message }),
    PercentDone: status === 'COMPLETED' ? '100.00%' : '0.00%',
    BackupSizeInBytes: row.bytes,
    IamRoleArn: row.roleArn,
    ...(row.createdResourceArn !== null && { CreatedResourceArn: row.createdResourceArn }),
    ResourceType: row.resourceType,
    RecoveryPointCreationDate: seconds(row.pointCreatedAt),
    ...(row.testingPlan !== null && { CreatedBy: { RestoreTestingPlanArn: row.testingPlan } }),
    ...(row.validationStatus !== null && { ValidationStatus: row.validationStatus }),
    ...(row.validationMessage !== null && { ValidationStatusMessage: row.validationMessage }),
    ...(row.deletionStatus && { DeletionStatus: row.deletionStatus }),
    ...(row.deletionMessage !== null && { DeletionStatusMessage: row.deletionMessage }),
  }
}
