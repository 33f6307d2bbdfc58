import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { databaseBackup } from './backups/backup.ts'
import { retentionDaysOf } from './configuration/retention.ts'
import { management } from './management.ts'
import { movesOf } from './moves/moves.ts'
import { serviceName } from './names.ts'
import { resizePool } from './pools/jobs.ts'
import { databaseJobs } from './provisioning/jobs.ts'
import { passwords } from './provisioning/passwords.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type SqlSettings } from './settings.ts'
import { supervisionJobs } from './supervision/jobs.ts'
import { views } from './views.ts'
import { archiveJobs, keepEveryMs, pruneEveryMs } from './wal-archive/jobs.ts'
import { archivingRows } from './wal-archive/pruning-store.ts'

export { defaultSettings, type SqlSettings } from './settings.ts'

/** PostgreSQL databases, each with its own role, on the configured SQL host. */
export function sqlDatabases(settings: SqlSettings = defaultSettings): Service {
  const jobs = databaseJobs(settings)
  const resize = resizePool(settings)
  const archive = archiveJobs(settings)
  const { supervise, sweep } = supervisionJobs(settings)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'Q',
    name: serviceName,
    title: 'SQL databases',
    moves: movesOf(settings),
    views,
    apis: [management({ settings, jobs, resize })],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    blobs: { 'archive/': 'the prune job deletes blobs without a row' },
    retention: {
      servers: 'their tenants delete them',
      pools: 'their tenants delete them',
      databases: 'their tenants delete them',
      orphans: 'sweep: rows of dropped databases',
      archives: 'pruneArchive: expired ones',
      archive_bases: 'pruneArchive: expired ones',
      archive_pieces: 'pruneArchive: expired ones',
      kept_databases: 'one for each continuous recovery point',
      dropped_databases: 'prune: those that can no longer be restored',
    },
    sealed: [passwords],
    backups: [databaseBackup(jobs, settings)],
    jobs: [...Object.values(jobs), resize, supervise, sweep, ...Object.values(archive)],
    schedules: [
      { job: supervise, everyMs: 60_000 },
      { job: sweep, everyMs: 3_600_000 },
      { job: archive.keep, everyMs: keepEveryMs, hasWork: () => archivingRows(retentionDaysOf(settings)) },
      { job: archive.prune, everyMs: pruneEveryMs },
    ],
  })
}
