import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import {
  account,
  frameworks,
  legalHolds,
  plans,
  recoveryPoints,
  reports,
  restoreTesting,
  selections,
  tags,
  vaults,
} from '../contract.ts'
import { seedRows } from './rows-store.ts'

/** Creates a vault with a recovery point, a plan with a selection, a legal hold, and a job of every kind. */
export const seed: Seed = async (owner, { platform }) => {
  const audited = { ...frameworks, ...reports, ...restoreTesting, ...account }
  const calls = client(
    { ...audited, ...vaults, ...plans, ...selections, ...legalHolds, ...recoveryPoints, ...tags },
    owner,
  )
  const backupVaultName = 'seeded'
  const vault = { params: { backupVaultName } }
  const { body: created } = await calls.CreateBackupVault({
    ...vault,
    body: { BackupVaultTags: { stage: 'test' }, CreatorRequestId: 'seed' },
  })
  const own = (rest: string) => created.BackupVaultArn.replace(/backup-vault:.*/, rest)
  const ids = await seedRows(platform.database, backupVaultName, own('things/seeded'))
  const recoveryPointArn = own(`recovery-point:${ids.point}`)
  const lifecycle = { MoveToColdStorageAfterDays: 30, DeleteAfterDays: 365, OptInToArchiveForSupportedResources: true }
  const point = { backupVaultName, recoveryPointArn }
  await calls.UpdateRecoveryPointLifecycle({ params: point, body: { Lifecycle: lifecycle } })
  await calls.TagResource({ params: { resourceArn: created.BackupVaultArn }, body: { Tags: { stage: 'live' } } })
  await calls.UntagResource({ params: { resourceArn: created.BackupVaultArn }, body: { TagKeyList: ['owner'] } })
  const Rules = [
    {
      RuleName: 'nightly',
      TargetBackupVaultName: backupVaultName,
      ScheduleExpression: 'cron(0 5 ? * * *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      StartWindowMinutes: 60,
      CompletionWindowMinutes: 120,
      Lifecycle: { DeleteAfterDays: 35 },
      RecoveryPointTags: { kept: 'yes' },
      CopyActions: [{ DestinationBackupVaultArn: own(`backup-vault:${backupVaultName}`) }],
    },
  ]
  const plan = { BackupPlanName: 'seeded', Rules }
  const createdPlan = await calls.CreateBackupPlan({ body: { BackupPlan: plan, BackupPlanTags: { stage: 'test' } } })
  const params = { backupPlanId: createdPlan.body.BackupPlanId ?? '' }
  const BackupSelection = {
    SelectionName: 'seeded',
    IamRoleArn: 'arn:aws:iam::123456789012:role/backup',
    ListOfTags: [{ ConditionType: 'STRINGEQUALS' as const, ConditionKey: 'stage', ConditionValue: 'test' }],
  }
  const selection = await calls.CreateBackupSelection({ params, body: { BackupSelection } })
  const hold = await calls.CreateLegalHold({ body: { Title: 'seeded', Description: 'a case' } })
  const names = { frameworkName: 'seeded', reportPlanName: 'seeded', RestoreTestingPlanName: 'seeded' }
  await calls.CreateFramework({
    body: {
      FrameworkName: names.frameworkName,
      FrameworkControls: [{ ControlName: 'BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN' }],
    },
  })
  const ReportDeliveryChannel = { S3BucketName: 'reports', Formats: ['CSV' as const] }
  const ReportSetting = { ReportTemplate: 'BACKUP_JOB_REPORT' as const }
  await calls.CreateReportPlan({
    body: { ReportPlanName: names.reportPlanName, ReportDeliveryChannel, ReportSetting },
  })
  const report = await calls.StartReportJob({ params: { reportPlanName: names.reportPlanName }, body: {} })
  const RestoreTestingPlan = {
    RestoreTestingPlanName: names.RestoreTestingPlanName,
    ScheduleExpression: 'cron(0 5 ? * * *)',
    RecoveryPointSelection: { Algorithm: 'LATEST_WITHIN_WINDOW' as const, IncludeVaults: ['*'] },
  }
  await calls.CreateRestoreTestingPlan({ body: { RestoreTestingPlan } })
  const [type] = (await calls.GetSupportedResourceTypes({})).body.ResourceTypes
  const RestoreTestingSelectionName = 'seeded'
  if (type !== undefined)
    await calls.CreateRestoreTestingSelection({
      params: names,
      body: {
        RestoreTestingSelection: {
          RestoreTestingSelectionName,
          ProtectedResourceType: type,
          IamRoleArn: 'arn:aws:iam::123456789012:role/backup',
          ProtectedResourceArns: ['*'],
        },
      },
    })
  return {
    ...params,
    ...names,
    RestoreTestingSelectionName,
    reportJobId: report.body.ReportJobId ?? '',
    backupVaultName,
    recoveryPointArn,
    resourceArn: own('things/seeded'),
    selectionId: selection.body.SelectionId ?? '',
    templateId: 'daily-35',
    legalHoldId: hold.body.LegalHoldId ?? '',
    backupJobId: ids.backupJob,
    copyJobId: ids.copyJob,
    restoreJobId: ids.restoreJob,
  }
}
