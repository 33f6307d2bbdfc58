import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { legalHolds, plans, selections, tags, vaults } from '../contract.ts'
import { seedRows } from './rows-store.ts'

/** A vault with a recovery point, a plan with a selection, a legal hold, and a job of every kind. */
export const seed: Seed = async (owner, { platform }) => {
  const calls = client({ ...vaults, ...plans, ...selections, ...legalHolds, ...tags }, owner)
  const backupVaultName = 'seeded'
  const vault = { params: { backupVaultName } }
  const { body: created } = await calls.CreateBackupVault({
    ...vault,
    body: { BackupVaultTags: { stage: 'test' }, CreatorRequestId: 'seed' },
  })
  const own = (rest: string) => created.BackupVaultArn.replace(/backup-vault:.*/, rest)
  const ids = await seedRows(platform.database, backupVaultName, own('things/seeded'))
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
  const made = await calls.CreateBackupPlan({ body: { BackupPlan: plan, BackupPlanTags: { stage: 'test' } } })
  const params = { backupPlanId: made.body.BackupPlanId ?? '' }
  const BackupSelection = {
    SelectionName: 'seeded',
    IamRoleArn: 'arn:aws:iam::123456789012:role/backup',
    ListOfTags: [{ ConditionType: 'STRINGEQUALS' as const, ConditionKey: 'stage', ConditionValue: 'test' }],
  }
  const selection = await calls.CreateBackupSelection({ params, body: { BackupSelection } })
  const hold = await calls.CreateLegalHold({ body: { Title: 'seeded', Description: 'a case' } })
  return {
    ...params,
    backupVaultName,
    recoveryPointArn: own(`recovery-point:${ids.point}`),
    resourceArn: own('things/seeded'),
    selectionId: selection.body.SelectionId ?? '',
    templateId: 'daily-35',
    legalHoldId: hold.body.LegalHoldId ?? '',
    backupJobId: ids.backupJob,
    copyJobId: ids.copyJob,
    restoreJobId: ids.restoreJob,
  }
}
