import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Keys and backups',
  resources: {
    ListBackupVaults: {
      title: 'Backup vaults',
      type: 'AWS::Backup::BackupVault',
      about: 'A vault holds recovery points, and deletes them when they expire.',
      columns: ['BackupVaultName', 'VaultState', 'VaultType', 'NumberOfRecoveryPoints', 'Locked', 'CreationDate'],
      update: null,
      example: {},
    },
    ListRecoveryPointsByBackupVault: {
      title: 'Recovery points',
      about: 'A recovery point is a copy of a resource, from which it can be restored.',
      columns: ['RecoveryPointArn', 'Status', 'ResourceType', 'BackupSizeInBytes', 'CreationDate'],
    },
    ListProtectedResourcesByBackupVault: {
      title: 'Protected resources',
      about: 'Resources with recovery points in the vault.',
      columns: ['ResourceName', 'ResourceType', 'LastBackupTime'],
    },
    ListBackupPlans: {
      title: 'Backup plans',
      type: 'AWS::Backup::BackupPlan',
      about: 'A plan backs up selected resources on a schedule.',
      columns: ['BackupPlanName', 'VersionId', 'LastExecutionDate', 'CreationDate'],
      example: {
        BackupPlan: {
          BackupPlanName: 'daily',
          Rules: [{ RuleName: 'nightly', TargetBackupVaultName: 'Default', ScheduleExpression: 'cron(0 3 * * ? *)' }],
        },
      },
    },
    ListBackupSelections: {
      title: 'Selections',
      about: 'A selection says which resources a plan backs up.',
      columns: ['SelectionName', 'IamRoleArn', 'CreationDate'],
      example: {
        BackupSelection: { SelectionName: 'all', IamRoleArn: 'arn:aws:iam::123456789012:role/any', Resources: ['*'] },
      },
    },
    ListBackupPlanVersions: { title: 'Versions', columns: ['VersionId', 'CreationDate', 'DeletionDate'] },
    ListBackupJobs: {
      title: 'Backup jobs',
      about: 'A backup job makes a recovery point of a resource.',
      columns: ['ResourceArn', 'State', 'PercentDone', 'BackupVaultName', 'BackupSizeInBytes', 'CreationDate'],
      create: 'StartBackupJob',
      update: null,
      delete: null,
      actions: ['StopBackupJob'],
      example: { BackupVaultName: 'daily', IamRoleArn: 'arn:aws:iam::123456789012:role/any', ResourceArn: '' },
    },
    ListRestoreJobs: {
      title: 'Restore jobs',
      about: 'A restore job makes a resource from a recovery point.',
      columns: ['RecoveryPointArn', 'Status', 'PercentDone', 'CreatedResourceArn', 'CreationDate'],
      create: 'StartRestoreJob',
    },
    ListCopyJobs: {
      title: 'Copy jobs',
      about: 'A copy job copies a recovery point to another vault.',
      columns: ['ResourceArn', 'State', 'DestinationBackupVaultArn', 'CreationDate'],
      create: 'StartCopyJob',
    },
    ListProtectedResources: {
      title: 'Protected resources',
      about: 'Resources that have recovery points.',
      columns: ['ResourceName', 'ResourceType', 'LastBackupTime'],
    },
    ListLegalHolds: {
      title: 'Legal holds',
      about: 'A legal hold keeps recovery points, even expired ones.',
      columns: ['Title', 'Status', 'Description', 'CreationDate'],
      example: { Title: 'Audit', Description: 'Kept until the audit is over.' },
    },
    ListRestoreTestingPlans: {
      title: 'Restore tests',
      about: 'A plan restores recovery points on a schedule, to prove that it works.',
      columns: ['RestoreTestingPlanName', 'ScheduleExpression', 'LastExecutionTime', 'CreationTime'],
    },
    ListRestoreTestingSelections: {
      title: 'Selections',
      columns: ['RestoreTestingSelectionName', 'ProtectedResourceType', 'CreationTime'],
    },
    ListFrameworks: {
      title: 'Audit frameworks',
      about: 'A framework checks backups against rules.',
      columns: ['FrameworkName', 'DeploymentStatus', 'NumberOfControls', 'CreationTime'],
    },
    ListReportPlans: {
      title: 'Report plans',
      about: 'A report plan writes a report every day.',
      columns: ['ReportPlanName', 'DeploymentStatus', 'ReportPlanDescription', 'CreationTime'],
    },
    ListReportJobs: {
      title: 'Report jobs',
      about: 'A report job writes one report.',
      columns: ['ReportJobId', 'Status', 'ReportTemplate', 'CreationTime'],
      create: null,
      update: null,
    },
  },
  others: [
    ...['ListBackupPlanTemplates', 'ListRestoreJobsByProtectedResource', 'ListRecoveryPointsByResource'],
    ...['ListRecoveryPointsByLegalHold', 'ListBackupJobSummaries', 'ListCopyJobSummaries', 'ListRestoreJobSummaries'],
  ],
}
