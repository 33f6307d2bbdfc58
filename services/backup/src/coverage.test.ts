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
  // All tenants share the templates.
  creating: ['CreateBackupVault', 'CreateLogicallyAirGappedBackupVault', 'GetBackupPlanFromTemplate'],
  withoutNotFound: ['CreateBackupSelection', 'ListRecoveryPointsByLegalHold', 'DeleteRestoreTestingPlan'],
  fields: {
    'Create*': 'every field is written and read back: src/written.test.ts',
    'Update*': 'every field is written and read back: src/written.test.ts',
    'PutBackupVaultAccessPolicy Policy': 'JSON: src/recovery-points/keeping.test.ts',
    'PutBackupVaultLockConfiguration ChangeableForDays': 'LockDate: src/recovery-points/keeping.test.ts',
    'PutBackupVaultNotifications BackupVaultEvents': 'each once: src/plans/plans.test.ts',
    PutRestoreValidationResult: 'of restore testing plans: src/restore-testing/restore-testing.test.ts',
    'Start*': 'actions: src/plans/plans.test.ts',
    TagResource: 'an action: src/plans/plans.test.ts',
    UntagResource: 'an action: src/plans/plans.test.ts',
  },
  cleanUp: () => rm(folder, { recursive: true, force: true }),
})
