import { signedServer } from '@icosa/dialects/signed/server'
import type { Api } from '@icosa/kernel'
import { account } from './account/handlers.ts'
import { backupJobs } from './backup-jobs/handlers.ts'
import { copyJobs } from './copy-jobs/handlers.ts'
import { frameworks } from './frameworks/handlers.ts'
import type { Jobs } from './jobs.ts'
import { legalHolds } from './legal-holds/handlers.ts'
import { signingNames } from './names.ts'
import { plans } from './plans/handlers.ts'
import { recoveryPoints } from './recovery-points/handlers.ts'
import { reports } from './reports/handlers.ts'
import { resources } from './resources/handlers.ts'
import { restoreJobs } from './restore-jobs/handlers.ts'
import { restoreTesting } from './restore-testing/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { selections } from './selections/handlers.ts'
import { api } from './shapes/contract.ts'
import { summaries } from './summaries/handlers.ts'
import { tags } from './tags/handlers.ts'
import { newerOperations } from './unsupported.ts'
import { vaults } from './vaults/handlers.ts'

export function backupApi(
  region: string,
  { backups, restores, copyPoint, planning, testing, reporting }: Jobs,
): Api<ServiceRuntime> {
  return {
    dialect: signedServer(api, { region, signingNames, unsupported: newerOperations }),
    resources: {
      Vaults: vaults(region),
      Plans: plans(region, planning),
      Selections: selections(region),
      BackupJobs: backupJobs(region, backups),
      CopyJobs: copyJobs(region, copyPoint),
      RestoreJobs: restoreJobs(region, restores),
      RecoveryPoints: recoveryPoints(region),
      Resources: resources(region),
      LegalHolds: legalHolds(region),
      Tags: tags(region),
      RestoreTesting: restoreTesting(region, testing),
      Frameworks: frameworks(region),
      Reports: reports(region, reporting),
      Summaries: summaries(region),
      Account: account,
    },
  }
}
