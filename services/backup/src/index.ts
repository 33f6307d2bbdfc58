import { signedServer } from '@icosa/dialects/signed/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { account } from './account/handlers.ts'
import { backupJobs } from './backup-jobs/handlers.ts'
import { backupJobsOf } from './backup-jobs/jobs.ts'
import { copyJobs } from './copy-jobs/handlers.ts'
import { copyJob } from './copy-jobs/jobs.ts'
import { frameworks } from './frameworks/handlers.ts'
import { type Held, startWith } from './held.ts'
import { legalHolds } from './legal-holds/handlers.ts'
import { serviceName, signingNames } from './names.ts'
import { deliver } from './notices/deliver.ts'
import { plans } from './plans/handlers.ts'
import { planJobsOf } from './plans/jobs.ts'
import { expireEveryMs, expirePoints } from './recovery-points/expiry.ts'
import { recoveryPoints } from './recovery-points/handlers.ts'
import { maintain } from './recovery-points/maintenance.ts'
import { reports } from './reports/handlers.ts'
import { reportEveryMs, reportJobsOf } from './reports/jobs.ts'
import { resources } from './resources/handlers.ts'
import { restoreJobs } from './restore-jobs/handlers.ts'
import { restoreJobsOf } from './restore-jobs/jobs.ts'
import { restoreTesting } from './restore-testing/handlers.ts'
import { testingJobsOf } from './restore-testing/jobs.ts'
import { retention } from './retention.ts'
import { selections } from './selections/handlers.ts'
import type { BackupSettings } from './settings.ts'
import { api } from './shapes/contract.ts'
import { summaries } from './summaries/handlers.ts'
import { tags } from './tags/handlers.ts'
import { vaults } from './vaults/handlers.ts'
import { eraseVault } from './vaults/jobs.ts'
import { passwords } from './vaults/store.ts'

export type { BackupSettings } from './settings.ts'

/** Vaults of what the platform's services have: copied, encrypted, and made again. */
export function backup(settings: BackupSettings): Service {
  const { region } = settings
  const copyPoint = copyJob()
  const backups = backupJobsOf(region, copyPoint)
  const restores = restoreJobsOf(region)
  const testing = testingJobsOf(region, restores)
  const reporting = reportJobsOf(region)
  const planJobs = planJobsOf(region, backups)
  return serviceHolding<Held>({
    letter: 'K',
    name: serviceName,
    title: 'Backup',
    apis: [
      {
        dialect: signedServer(api, { region, signingNames }),
        resources: {
          Vaults: vaults(region),
          Plans: plans(region, planJobs),
          Selections: selections,
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
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    sealed: [passwords],
    jobs: [
      ...[backups.backUp, restores.restore, restores.endTrial, copyPoint, planJobs.fire, testing.test],
      ...[reporting.write, reporting.daily, maintain, expirePoints, eraseVault, deliver],
    ],
    schedules: [
      { job: expirePoints, everyMs: expireEveryMs },
      { job: reporting.daily, everyMs: reportEveryMs },
    ],
  })
}
