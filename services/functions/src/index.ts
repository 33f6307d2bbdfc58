import { googleServer } from '@icosa/dialects/google/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { functionBackup } from './backups.ts'
import { calls } from './calls/handlers.ts'
import { deployJob } from './deploy/jobs.ts'
import { events } from './events/handlers.ts'
import { functions } from './functions/handlers.ts'
import { offerOf } from './functions/offer.ts'
import { callRoot, sourcesIn, urlsOf } from './functions/url.ts'
import { invocationRoutes } from './invocations/routes.ts'
import { jobsWith, schedules } from './jobs.ts'
import { locations } from './locations/handlers.ts'
import { logs } from './logs/handlers.ts'
import { domain, roots, serviceName, spellings } from './names.ts'
import { operations } from './operations/handlers.ts'
import { observeReads } from './policies/audit.ts'
import { authorize } from './policies/grants.ts'
import { policies } from './policies/handlers.ts'
import { blobs, retention } from './retention.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { secretColumn } from './secrets/sealed.ts'
import type { FunctionsSettings } from './settings.ts'
import { source } from './source/handlers.ts'
import { traffic } from './traffic/handlers.ts'
import { upgrades } from './upgrades/handlers.ts'
import { views } from './views.ts'

export type { FunctionsSettings } from './settings.ts'

export function functionsService(settings: FunctionsSettings): Service {
  const { baseUrl, region, domain: hosts } = settings
  const urlOf = urlsOf(settings)
  const deploy = deployJob(urlOf)
  return serviceWithRuntime<ServiceRuntime>({
    ...{ letter: 'G', name: serviceName, title: 'Functions', moves: 'withRows', views },
    apis: [
      {
        dialect: googleServer<ServiceRuntime>({ domain, roots, spellings, authorize }),
        resources: {
          functions: functions(urlOf, { deploy }, offerOf(settings)),
          source: source(baseUrl, { deploy }),
          operations,
          policies,
          locations: locations(region),
          events,
          logs,
          calls,
          traffic: traffic(urlOf),
          upgrades,
        },
      },
    ],
    start: startWith(settings),
    observe: observeReads,
    subdomains: hosts === undefined ? undefined : { of: hosts, at: callRoot, tenantSources: sourcesIn('host', '^') },
    tenantRules: {
      [callRoot]: { sources: sourcesIn('path', callRoot) },
      [`/${serviceName}/source`]: { otherwise: 'home' }, // its URL has the prefix with the tag
    },
    routes: invocationRoutes(hosts === undefined ? undefined : urlOf),
    migrations: new URL('../migrations/', import.meta.url),
    ...{ retention, blobs },
    ...{ sealed: [secretColumn], derives: ['functions uploads'] },
    backups: [functionBackup],
    jobs: jobsWith({ deploy }),
    schedules,
  })
}
