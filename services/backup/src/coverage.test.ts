import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coverService } from '@icosa/testing/cover'
import { testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const folder = mkdtempSync(join(tmpdir(), 'icosa-backup-'))

coverService(testService(folder), {
  seed,
  // Templates are everybody's.
  creating: ['CreateBackupVault', 'CreateLogicallyAirGappedBackupVault', 'GetBackupPlanFromTemplate'],
  fields: {},
  cleanUp: () => rm(folder, { recursive: true, force: true }),
})
