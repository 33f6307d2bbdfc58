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
    CreateBackupPlan: 'each of its fields is sent and read there: src/written.test.ts',
    CreateBackupSelection: 'each of its fields is sent and read there: src/written.test.ts',
    CreateFramework: 'each of its fields is sent and read there: src/written.test.ts',
    CreateReportPlan: 'each of its fields is sent and read there: src/written.test.ts',
    CreateRestoreTestingPlan: 'each of its fields is sent and read there: src/written.test.ts',
    CreateRestoreTestingSelection: 'each of its fields is sent and read there: src/written.test.ts',
    StartReportJob: 'an action: src/restore-testing/restore-testing.test.ts',
    UpdateFramework: 'each of its fields is sent and read there: src/written.test.ts',
    UpdateReportPlan: 'each of its fields is sent and read there: src/written.test.ts',
    UpdateRestoreTestingPlan: 'each of its fields is sent and read there: src/written.test.ts',
    UpdateRestoreTestingSelection: 'each of its fields is sent and read there: src/written.test.ts',
    CreateLogicallyAirGappedBackupVault: 'each of its fields is sent and read there: src/written.test.ts',
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
    UpdateBackupPlan: 'each of its fields is sent and read there: src/written.test.ts',
    UpdateRecoveryPointLifecycle: 'each of its fields is sent and read there: src/written.test.ts',
    UpdateRegionSettings: 'each of its fields is sent and read there: src/written.test.ts',
  },
  cleanUp: () => rm(folder, { recursive: true, force: true }),
})
