import { armServer } from '@icosa/dialects/arm/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { api, Database } from './databases/contract.ts'
import { databases } from './databases/handlers.ts'
import { type Held, startWith } from './held.ts'
import { originalNamespace, versions } from './names.ts'
import { databaseJobs } from './provisioning/jobs.ts'
import { passwords } from './provisioning/passwords.ts'
import { defaultSettings, type SqlSettings } from './settings.ts'
import { supervisionJobs } from './supervision/jobs.ts'

export { defaultSettings, type SqlSettings } from './settings.ts'

/** Real PostgreSQL databases, each with a role of its own, on the SQL host that the settings name. */
export function sqlDatabases(settings: SqlSettings = defaultSettings): Service {
  const jobs = databaseJobs(settings)
  const { supervise, sweep } = supervisionJobs(settings)
  return serviceHolding<Held>({
    letter: 'Q',
    name: 'sql-databases',
    title: 'SQL databases',
    apis: [
      {
        dialect: armServer(api, { original: originalNamespace, versions, result: Database }),
        resources: { Databases: databases(jobs, settings) },
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      servers: 'one for every server that a tenant has ever named',
      databases: 'their tenants delete them',
      orphans: 'sweep: those that are no longer there',
    },
    sealed: [passwords],
    jobs: [...Object.values(jobs), supervise, sweep],
    schedules: [
      { job: supervise, everyMs: 60_000 },
      { job: sweep, everyMs: 3_600_000 },
    ],
  })
}
