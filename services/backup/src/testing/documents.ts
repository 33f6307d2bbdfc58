import { arn, IamRoleArn, thingArn } from './app.ts'
import { thingType } from './things.ts'

// Requests with every field, for the test that reads all of them back.

export const Lifecycle = {
  MoveToColdStorageAfterDays: 3,
  DeleteAfterDays: 100,
  OptInToArchiveForSupportedResources: true,
}
export const backupPlan = (BackupPlanName: string) => ({
  BackupPlanName,
  Rules: [
    {
      RuleName: 'nightly',
      TargetBackupVaultName: 'daily',
      ScheduleExpression: 'cron(0 5 ? * * *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      StartWindowMinutes: 61,
      CompletionWindowMinutes: 122,
      Lifecycle,
      RecoveryPointTags: { kept: 'yes' },
      CopyActions: [{ DestinationBackupVaultArn: arn('backup-vault:second'), Lifecycle }],
    },
  ],
})
const parameters = [{ ConditionKey: 'aws:ResourceTag/stage', ConditionValue: 'live' }]
const Conditions = {
  StringEquals: parameters,
  StringNotEquals: parameters,
  StringLike: parameters,
  StringNotLike: parameters,
}
export const selection = {
  SelectionName: 'written',
  IamRoleArn,
  Resources: ['*'],
  NotResources: [thingArn('other')],
  ListOfTags: [{ ConditionType: 'STRINGEQUALS' as const, ConditionKey: 'stage', ConditionValue: 'live' }],
  Conditions,
}
export const controls = (days: string) => [
  {
    ControlName: 'BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK',
    ControlInputParameters: [{ ParameterName: 'requiredRetentionDays', ParameterValue: days }],
    ControlScope: {
      ComplianceResourceTypes: [thingType],
      ComplianceResourceIds: [thingArn('orders')],
      Tags: { stage: 'live' },
    },
  },
]
export const report = (prefix: string) => ({
  ReportDeliveryChannel: { S3BucketName: 'reports', S3KeyPrefix: prefix, Formats: ['CSV' as const, 'JSON' as const] },
  ReportSetting: {
    ReportTemplate: 'CONTROL_COMPLIANCE_REPORT' as const,
    FrameworkArns: [arn('framework:written')],
    NumberOfFrameworks: 1,
  },
})
const RecoveryPointSelection = {
  Algorithm: 'RANDOM_WITHIN_WINDOW' as const,
  IncludeVaults: ['*'],
  ExcludeVaults: [arn('backup-vault:second')],
  RecoveryPointTypes: ['SNAPSHOT' as const],
  SelectionWindowDays: 9,
}
export const testing = {
  ScheduleExpression: 'rate(7 days)',
  ScheduleExpressionTimezone: 'Europe/Berlin',
  StartWindowHours: 5,
  RecoveryPointSelection,
}
export const pairs = [{ Key: 'aws:ResourceTag/stage', Value: 'live' }]
export const selecting = { RestoreMetadataOverrides: { name: 'tried' }, ValidationWindowHours: 7 }
export const heldPoints = {
  VaultNames: ['daily'],
  ResourceIdentifiers: [thingArn('orders')],
  DateRange: { FromDate: 1_700_000_000, ToDate: 1_800_000_000 },
}
