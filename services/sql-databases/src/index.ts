import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { databaseBackup } from './backups/backup.ts'
import { management } from './management.ts'
import { serviceName } from './names.ts'
import { resizePool } from './pools/jobs.ts'
import { databaseJobs } from './provisioning/jobs.ts'
import { passwords } from './provisioning/passwords.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { defaultSettings, type SqlSettings } from './settings.ts'
import { supervisionJobs } from './supervision/jobs.ts'
import { archiveJobs, keepEveryMs, pruneEveryMs } from './wal-archive/jobs.ts'
import { archivingRows } from './wal-archive/pruning-store.ts'

export { defaultSettings, type SqlSettings } from './settings.ts'

/** Real PostgreSQL databases, each with a role of its own, on the SQL host that the settings name. */
export function sqlDatabases(settings: SqlSettings = defaultSettings): Service {
  const jobs = databaseJobs(settings)
  const resize = resizePool(settings)
  const archive = archiveJobs(settings)
  const { supervise, sweep } = supervisionJobs(settings)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'Q',
    name: serviceName,
    title: 'SQL databases',
    apis: [management({ settings, jobs, resize })],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    blobs: { 'archive/': 'the prune job deletes what no row knows of' },
    retention: {
      servers: 'their tenants delete them',
      pools: 'their tenants delete them',
      databases: 'their tenants delete them',
      orphans: 'sweep: those that are no longer there',
      archives: 'pruneArchive: those that nobody needs',
      archive_bases: 'pruneArchive: those that nobody needs',
      archive_pieces: 'pruneArchive: those that nobody needs',
      kept_databases: 'one for each recovery point that is continuous',
    },
    sealed: [passwords],
    backups: [databaseBackup(jobs, settings)],
    jobs: [...Object.values(jobs), resize, supervise, sweep, ...Object.values(archive)],
    schedules: [
      { job: supervise, everyMs: 60_000 },
      { job: sweep, everyMs: 3_600_000 },
      { job: archive.keep, everyMs: keepEveryMs, hasWork: archivingRows },
      { job: archive.prune, everyMs: pruneEveryMs },
    ],
  })
}
