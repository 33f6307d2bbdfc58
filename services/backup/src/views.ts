import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Keys and backups',
  resources: {
    ListBackupVaults: {
      title: 'Backup vaults',
      type: 'AWS::Backup::BackupVault',
      about: 'A vault stores recovery points and deletes them when they expire.',
      columns: ['BackupVaultName', 'VaultState', 'VaultType', 'NumberOfRecoveryPoints', 'Locked', 'CreationDate'],
      update: null,
      example: {},
      panels: [
        {
          title: 'Calendar',
          operation: 'ListRecoveryPointsByBackupVault',
          query: { maxResults: '1000' },
          show: {
            as: 'calendar',
            rows: 'RecoveryPoints',
            time: 'CreationDate',
            label: 'ResourceArn',
            state: 'Status',
          },
          act: {
            operation: 'StartRestoreJob',
            fields: { RecoveryPointArn: 'RecoveryPointArn' },
            body: { Metadata: {} },
          },
        },
      ],
    },
    ListRecoveryPointsByBackupVault: {
      title: 'Recovery points',
      about: 'A recovery point is a copy of a resource that you can restore.',
      columns: ['RecoveryPointArn', 'Status', 'ResourceType', 'BackupSizeInBytes', 'CreationDate'],
    },
    ListProtectedResourcesByBackupVault: {
      title: 'Protected resources',
      about: 'Resources that have recovery points in this vault.',
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
      about: 'A selection chooses the resources that a plan backs up.',
      columns: ['SelectionName', 'IamRoleArn', 'CreationDate'],
      example: {
        BackupSelection: { SelectionName: 'all', IamRoleArn: 'arn:aws:iam::123456789012:role/any', Resources: ['*'] },
      },
    },
    ListBackupPlanVersions: { title: 'Versions', columns: ['VersionId', 'CreationDate', 'DeletionDate'] },
    ListBackupJobs: {
      title: 'Backup jobs',
      about: 'A backup job creates a recovery point of a resource.',
      columns: ['ResourceArn', 'State', 'PercentDone', 'BackupVaultName', 'BackupSizeInBytes', 'CreationDate'],
      create: 'StartBackupJob',
      update: null,
      delete: null,
      actions: ['StopBackupJob'],
      example: { BackupVaultName: 'daily', IamRoleArn: 'arn:aws:iam::123456789012:role/any', ResourceArn: '' },
    },
    ListRestoreJobs: {
      title: 'Restore jobs',
      about: 'A restore job creates a resource from a recovery point.',
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
      about: 'A legal hold prevents recovery points from being deleted, even after they expire.',
      columns: ['Title', 'Status', 'Description', 'CreationDate'],
      example: { Title: 'Audit', Description: 'Hold until the audit is complete.' },
    },
    ListRestoreTestingPlans: {
      title: 'Restore testing plans',
      about: 'A restore testing plan checks on a schedule that recovery points can be restored.',
      columns: ['RestoreTestingPlanName', 'ScheduleExpression', 'LastExecutionTime', 'CreationTime'],
    },
    ListRestoreTestingSelections: {
      title: 'Selections',
      columns: ['RestoreTestingSelectionName', 'ProtectedResourceType', 'CreationTime'],
    },
    ListFrameworks: {
      title: 'Audit frameworks',
      about: 'A framework checks that your backups comply with a set of controls.',
      columns: ['FrameworkName', 'DeploymentStatus', 'NumberOfControls', 'CreationTime'],
    },
    ListReportPlans: {
      title: 'Report plans',
      about: 'A report plan creates a report every day.',
      columns: ['ReportPlanName', 'DeploymentStatus', 'ReportPlanDescription', 'CreationTime'],
    },
    ListReportJobs: {
      title: 'Report jobs',
      about: 'A report job creates one report.',
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
