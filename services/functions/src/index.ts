import { googleServer } from '@icosa/dialects/google/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { functionBackup } from './backups.ts'
import { calls } from './calls/handlers.ts'
import { deleteFunction, deployJob, refuseExisting, retire } from './deploy/jobs.ts'
import { sweepBlobs } from './deploy/sweep.ts'
import { keepWarm } from './deploy/warm.ts'
import { fanOut } from './events/fan-out.ts'
import { events } from './events/handlers.ts'
import { deliver } from './events/jobs.ts'
import { functions } from './functions/handlers.ts'
import { callRoot, urlsOf } from './functions/url.ts'
import { invocationRoutes } from './invocations/routes.ts'
import { locations } from './locations/handlers.ts'
import { logs } from './logs/handlers.ts'
import { domain, roots, serviceName, spellings } from './names.ts'
import { operations } from './operations/handlers.ts'
import { policies } from './policies/handlers.ts'
import { blobs, retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { secretColumn } from './secrets/sealed.ts'
import type { FunctionsSettings } from './settings.ts'
import { source } from './source/handlers.ts'
import { sweepUploads } from './source/jobs.ts'
import { upgrades } from './upgrades/handlers.ts'
import { views } from './views.ts'

export type { FunctionsSettings } from './settings.ts'

export function functionsService(settings: FunctionsSettings): Service {
  const { baseUrl, region, domain: hosts } = settings
  const urlOf = urlsOf(settings)
  const deploy = deployJob(urlOf)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'G',
    name: serviceName,
    title: 'Functions',
    views,
    apis: [
      {
        dialect: googleServer({ domain, roots, spellings }),
        resources: {
          functions: functions(urlOf, { deploy }),
          source: source(baseUrl),
          operations,
          policies,
          locations: locations(region),
          events,
          logs,
          calls,
          upgrades,
        },
      },
    ],
    start: startWith(settings),
    subdomains: hosts === undefined ? undefined : { of: hosts, at: callRoot },
    routes: invocationRoutes(hosts === undefined ? undefined : urlOf),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs,
    sealed: [secretColumn],
    backups: [functionBackup],
    jobs: [deliver, fanOut, deploy, keepWarm, retire, deleteFunction, refuseExisting, sweepBlobs, sweepUploads],
    schedules: [
      { job: sweepUploads, everyMs: 3_600_000 },
      { job: keepWarm, everyMs: 60_000 },
    ],
  })
}
