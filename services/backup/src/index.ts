import { type Retention, type Service, serviceWithRuntime } from '@icosa/kernel'
import { backupApi } from './api.ts'
import { automaticEveryMs } from './automatic/jobs.ts'
import { endUnbegun } from './backup-jobs/continuous.ts'
import { jobsOf } from './jobs.ts'
import { movesOf } from './moves/moves.ts'
import { serviceName } from './names.ts'
import { deliver } from './notices/deliver.ts'
import { expireEveryMs, expirePoints } from './recovery-points/expiry.ts'
import { maintain } from './recovery-points/maintenance.ts'
import { reportEveryMs } from './reports/jobs.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import type { BackupSettings } from './settings.ts'
import { eraseVault } from './vaults/jobs.ts'
import { passwords } from './vaults/store.ts'
import { views } from './views.ts'

export type { BackupSettings } from './settings.ts'

/** Backs up resources of the platform's services into vaults, and restores them. */
export function backup(settings: BackupSettings): Service {
  const jobs = jobsOf(settings.region)
  const { automatic, backups, restores, copyPoint, planning, testing, reporting } = jobs
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'K',
    name: serviceName,
    title: 'Backup',
    moves: movesOf(settings),
    views,
    apis: [backupApi(settings.region, jobs)],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs: { 'reports/': 'the row of their job is written first; they stay until their tenant is deleted' },
    sealed: [passwords],
    jobs: [
      ...[backups.backUp, restores.restore, restores.endTrial, copyPoint, planning.fire, testing.test],
      ...[reporting.write, reporting.daily, maintain, expirePoints, eraseVault, deliver, endUnbegun],
      ...Object.values(automatic),
    ],
    schedules: [
      { job: automatic.findDue, everyMs: automaticEveryMs },
      { job: expirePoints, everyMs: expireEveryMs },
      { job: reporting.daily, everyMs: reportEveryMs },
    ],
  })
}

/** Ended jobs are shown for 30 days, as in the original; others have no completion time. */
const ended = { column: 'completed_at', keepDays: 30 }

const retention: Retention = {
  vaults: 'their tenants delete them',
  recovery_points: 'their lifecycle or their tenants delete them',
  plans: 'their tenants delete them; deleted ones can still be read',
  plan_versions: 'one for every change of a plan',
  selections: 'their tenants delete them',
  accounts: 'one for each tenant',
  legal_holds: { column: 'retain_until', keepDays: 1 }, // set by the caller who cancels it
  restore_testing_plans: 'their tenants delete them',
  restore_testing_selections: 'their tenants delete them',
  frameworks: 'their tenants delete them',
  report_plans: 'their tenants delete them',
  report_jobs: ended,
  backup_jobs: ended,
  copy_jobs: ended,
  restore_jobs: ended,
}
