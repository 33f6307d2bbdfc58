import { signedServer } from '@icosa/dialects/signed/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { backupJobs } from './backup-jobs/handlers.ts'
import { backupJobsOf } from './backup-jobs/jobs.ts'
import { exceptions } from './exceptions.ts'
import { type Held, startWith } from './held.ts'
import { serviceName, signingNames } from './names.ts'
import { recoveryPoints } from './recovery-points/handlers.ts'
import { maintain } from './recovery-points/maintenance.ts'
import { restoreJobs } from './restore-jobs/handlers.ts'
import { restoreJobsOf } from './restore-jobs/jobs.ts'
import { retention } from './retention.ts'
import type { BackupSettings } from './settings.ts'
import { api } from './shapes/contract.ts'
import { vaults } from './vaults/handlers.ts'
import { eraseVault } from './vaults/jobs.ts'
import { passwords } from './vaults/store.ts'

export type { BackupSettings } from './settings.ts'

/** Vaults of what the platform's services have: copied, encrypted, and made again. */
export function backup(settings: BackupSettings): Service {
  const { region } = settings
  const backups = backupJobsOf(region)
  const restores = restoreJobsOf(region)
  return serviceHolding<Held>({
    letter: 'K',
    name: serviceName,
    title: 'Backup',
    apis: [
      {
        dialect: signedServer(api, { region, signingNames, exceptions }),
        resources: {
          Vaults: vaults(region),
          BackupJobs: backupJobs(region, backups),
          RecoveryPoints: recoveryPoints(region),
          RestoreJobs: restoreJobs(region, restores),
        },
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    sealed: [passwords],
    jobs: [backups.backUp, restores.restore, maintain, eraseVault],
  })
}
