import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { backupApi } from './api.ts'
import { automaticEveryMs } from './automatic/jobs.ts'
import { endUnbegun } from './backup-jobs/continuous.ts'
import { jobsOf } from './jobs.ts'
import { serviceName } from './names.ts'
import { deliver } from './notices/deliver.ts'
import { expireEveryMs, expirePoints } from './recovery-points/expiry.ts'
import { maintain } from './recovery-points/maintenance.ts'
import { reportEveryMs } from './reports/jobs.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import type { BackupSettings } from './settings.ts'
import { eraseVault } from './vaults/jobs.ts'
import { passwords } from './vaults/store.ts'

export type { BackupSettings } from './settings.ts'

/** Backs up resources of the platform's services into vaults, and restores them. */
export function backup(settings: BackupSettings): Service {
  const jobs = jobsOf(settings.region)
  const { automatic, backups, restores, copyPoint, planning, testing, reporting } = jobs
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'K',
    name: serviceName,
    title: 'Backup',
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
