import type { Gaps } from '@icosa/module'

export const unsupported = {
  encryptionKeys: {
    name: '`EncryptionKeyArn` of a vault',
    answer: 501,
    instead: "Every vault has a key of its own, sealed by the platform's master key.",
  },
  keyNames: {
    name: '`EncryptionKeyArn` in answers',
    answer: 'never',
    instead: 'The key of a vault has no ARN; `IsEncrypted` is always true.',
  },
  newerOperations: {
    name: 'operations on tiering configurations, malware scans, search indexes of recovery points, and approval teams and restore access of vaults',
    answer: 501,
    instead: 'They are newer than the version of the specification.',
  },
  policyElements: {
    name: '`Condition`, `NotAction`, `NotPrincipal` and `NotResource` in an access policy',
    answer: 501,
    instead: 'Use Effect, Principal, Action and Resource.',
  },
  backupOptions: {
    name: '`BackupOptions` and `AdvancedBackupSettings`',
    answer: 501,
    instead: 'They apply to Windows machines, which do not exist here.',
  },
  backupTypes: {
    name: '`BackupType`, `ParentJobId` and `CompositeMemberIdentifier`',
    answer: 'never',
    instead: 'Every backup is a regular one, for which the original omits them as well; no job has children.',
  },
  listFilters: {
    name: '`parentJobId` and `messageCategory` in lists of jobs',
    answer: 501,
    instead: 'Filter by state; no job has children.',
  },
  continuousTests: {
    name: '`CONTINUOUS` in `RecoveryPointTypes` of a restore testing plan',
    answer: 501,
    instead: 'Only snapshots are tested; restore a continuous recovery point to a time of your choice to test it.',
  },
  continuousTypes: {
    name: '`EnableContinuousBackup` of other resources than databases',
    answer: 'differs',
    instead: 'A continuous rule creates snapshots of them, as in the original for types without continuous backup.',
  },
  managementPreference: {
    name: '`ResourceTypeManagementPreference`',
    answer: 501,
    instead: 'All types are managed in the same way.',
  },
  organizations: {
    name: '`DescribeGlobalSettings`, `UpdateGlobalSettings` and copies to another account or region',
    answer: 400,
    instead: 'No account is part of an organization, as the response says.',
  },
  controls: {
    name: 'framework controls other than the seven that are evaluated',
    answer: 501,
    instead:
      'There are BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN, BACKUP_PLAN_MIN_FREQUENCY_AND_MIN_RETENTION_CHECK, BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK, BACKUP_RECOVERY_POINT_ENCRYPTED, BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED, BACKUP_RESOURCES_PROTECTED_BY_BACKUP_VAULT_LOCK and BACKUP_LAST_RECOVERY_POINT_CREATED.',
  },
  reportScopes: {
    name: '`Accounts`, `OrganizationUnits` and `Regions` of a report plan',
    answer: 501,
    instead: 'A report is about the account and the region of its plan.',
  },
  reportBuckets: {
    name: 'buckets of reports',
    answer: 'differs',
    instead: 'Reports are blobs of the platform, under `reports/{bucket}/{key}`; the bucket need not exist.',
  },
  notices: {
    name: 'topics of notifications',
    answer: 'differs',
    instead: "They go to the operator's address as JSON with the topic in it, or into the log.",
  },
  otherNotices: {
    name: '`RESTORE_JOB_STARTED`, `COPY_JOB_STARTED`, `BACKUP_PLAN_CREATED`, `BACKUP_PLAN_MODIFIED`, `S3_BACKUP_OBJECT_FAILED` and `S3_RESTORE_OBJECT_FAILED`',
    answer: 'never',
    instead: 'They can be subscribed to, but are never sent.',
  },
  roles: {
    name: '`IamRoleArn`',
    answer: 'no effect',
    instead: 'It is stored and returned. The caller needs the permission to start the job; the job itself needs none.',
  },
  coldStorage: {
    name: 'cold storage',
    answer: 'differs',
    instead:
      '`StorageClass` becomes `COLD` when the lifecycle says so; the data stays where it is and is restored as before.',
  },
  expired: {
    name: '`EXPIRED` recovery points',
    answer: 'never',
    instead: 'No role can lack the permission to delete one.',
  },
} as const satisfies Gaps

/** Operations that the original has added since the version of the specification. */
export const newerOperations = {
  'PUT /backup-vaults/{backupVaultName}/mpaApprovalTeam': 'AssociateBackupVaultMpaApprovalTeam',
  'POST /backup-vaults/{backupVaultName}/mpaApprovalTeam': 'DisassociateBackupVaultMpaApprovalTeam',
  'PUT /restore-access-backup-vaults': 'CreateRestoreAccessBackupVault',
  'GET /logically-air-gapped-backup-vaults/{backupVaultName}/restore-access-backup-vaults':
    'ListRestoreAccessBackupVaults',
  'DELETE /logically-air-gapped-backup-vaults/{backupVaultName}/restore-access-backup-vaults/{arn}':
    'RevokeRestoreAccessBackupVault',
  'PUT /tiering-configurations': 'CreateTieringConfiguration',
  'GET /tiering-configurations': 'ListTieringConfigurations',
  'GET /tiering-configurations/{tieringConfigurationName}': 'GetTieringConfiguration',
  'PUT /tiering-configurations/{tieringConfigurationName}': 'UpdateTieringConfiguration',
  'DELETE /tiering-configurations/{tieringConfigurationName}': 'DeleteTieringConfiguration',
  'GET /backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/index': 'GetRecoveryPointIndexDetails',
  'POST /backup-vaults/{backupVaultName}/recovery-points/{recoveryPointArn}/index': 'UpdateRecoveryPointIndexSettings',
  'GET /indexes/recovery-point': 'ListIndexedRecoveryPoints',
  'GET /audit/scan-job-summaries': 'ListScanJobSummaries',
  'GET /scan/jobs': 'ListScanJobs',
  'GET /scan/jobs/{ScanJobId}': 'DescribeScanJob',
  'PUT /scan/job': 'StartScanJob',
} as const
