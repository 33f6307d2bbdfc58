import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coverService } from '@icosa/testing/cover'
import { seed } from './testing/seed.ts'
import { testService } from './testing/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'icosa-backup-'))

coverService(testService(folder), {
  seed,
  // Templates are everybody's.
  creating: ['CreateBackupVault', 'CreateLogicallyAirGappedBackupVault', 'GetBackupPlanFromTemplate'],
  fields: {
    CreateBackupPlan: 'what says the same, or names no vault, is refused: src/plans/plans.test.ts',
    CreateBackupSelection: 'names are taken once: src/plans/plans.test.ts',
    CreateFramework: 'names and controls: src/restore-testing/restore-testing.test.ts',
    CreateReportPlan: 'names are taken once: src/restore-testing/restore-testing.test.ts',
    CreateRestoreTestingPlan: 'names are taken once: src/restore-testing/restore-testing.test.ts',
    CreateRestoreTestingSelection: 'names are taken once: src/restore-testing/restore-testing.test.ts',
    StartReportJob: 'an action: src/restore-testing/restore-testing.test.ts',
    UpdateFramework: 'controls that are evaluated: src/restore-testing/restore-testing.test.ts',
    UpdateReportPlan: 'of one account: src/restore-testing/restore-testing.test.ts',
    UpdateRestoreTestingPlan: 'a schedule: src/restore-testing/restore-testing.test.ts',
    UpdateRestoreTestingSelection: 'one of two: src/restore-testing/restore-testing.test.ts',
    CreateLogicallyAirGappedBackupVault: 'names are taken once: src/plans/plans.test.ts',
    'CreateBackupVault BackupVaultTags': 'in the list of tags: src/plans/plans.test.ts',
    'CreateLegalHold IdempotencyToken': 'an action: src/recovery-points/keeping.test.ts',
    'CreateLegalHold RecoveryPointSelection.DateRange.FromDate': 'one before the other: src/plans/plans.test.ts',
    'CreateLegalHold RecoveryPointSelection.DateRange.ToDate': 'one before the other: src/plans/plans.test.ts',
    'CreateLegalHold Tags': 'in the list of tags: src/plans/plans.test.ts',
    'PutBackupVaultAccessPolicy Policy': 'JSON: src/recovery-points/keeping.test.ts',
    'PutBackupVaultLockConfiguration ChangeableForDays': 'LockDate: src/recovery-points/keeping.test.ts',
    'PutBackupVaultNotifications BackupVaultEvents': 'each once: src/plans/plans.test.ts',
    PutRestoreValidationResult: 'of restore testing plans: src/restore-testing/restore-testing.test.ts',
    StartBackupJob: 'an action: src/recovery-points/keeping.test.ts',
    StartCopyJob: 'an action: src/plans/plans.test.ts',
    StartRestoreJob: 'an action: src/recovery-points/keeping.test.ts',
    TagResource: 'an action: src/plans/plans.test.ts',
    UntagResource: 'an action: src/plans/plans.test.ts',
    UpdateGlobalSettings: 'refused: src/plans/plans.test.ts',
    UpdateBackupPlan: 'names a vault: src/plans/plans.test.ts',
    UpdateRecoveryPointLifecycle: 'not in a locked vault: src/recovery-points/keeping.test.ts',
    UpdateRegionSettings: 'types that can be backed up: src/plans/plans.test.ts',
  },
  cleanUp: () => rm(folder, { recursive: true, force: true }),
})
