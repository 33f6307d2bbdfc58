import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { accessKeySecrets } from './access-keys/secrets.ts'
import { storeBackup } from './backups.ts'
import { dataPlane } from './data-plane/api.ts'
import { purgeExpiredJob } from './deleted-stores/jobs.ts'
import { forgetPast } from './key-values/jobs.ts'
import { management } from './management.ts'
import { serviceName } from './names.ts'
import { type ServiceRuntime, starting } from './runtime.ts'
import { type ConfigurationStoresSettings, defaultSettings } from './settings.ts'
import { takeSnapshot } from './snapshots/jobs.ts'
import { storeJobs } from './stores/jobs.ts'
import { views } from './views.ts'

export { type ConfigurationStoresSettings, defaultSettings } from './settings.ts'

const hourMs = 3_600_000

/** Stores of settings and feature flags for applications, with a management API and a data plane. */
export function configurationStores(overrides: Partial<ConfigurationStoresSettings> = {}): Service {
  const settings = { ...defaultSettings, ...overrides }
  const jobs = storeJobs(settings)
  const purgeExpired = purgeExpiredJob(jobs.purgeStore)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'C',
    name: serviceName,
    title: 'Configuration stores',
    moves: 'withRows',
    views,
    apis: [management({ settings, jobs }), dataPlane(settings)],
    start: starting(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      stores: 'their tenants delete them; purgeExpired: deleted ones after their retention',
      access_keys: 'four per store',
      private_endpoint_connections: 'deleted with their store',
      revisions: 'forgetPast: seven days in a Free store, thirty in a Standard one',
      snapshots: 'forgetPast: archived ones expire',
      snapshot_items: 'deleted with their snapshot',
    },
    sealed: [accessKeySecrets],
    backups: [storeBackup(jobs)],
    jobs: [...Object.values(jobs), purgeExpired, takeSnapshot, forgetPast],
    schedules: [
      { job: forgetPast, everyMs: hourMs },
      { job: purgeExpired, everyMs: hourMs },
    ],
  })
}
