import { googleServer } from '@icosa/dialects/google/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { deleteFunction, deployJob, refuseExisting, retire } from './deploy/jobs.ts'
import { sweepBlobs } from './deploy/sweep.ts'
import { events } from './events/handlers.ts'
import { deliver } from './events/jobs.ts'
import { functions } from './functions/handlers.ts'
import { type Held, startWith } from './held.ts'
import { invocationRoutes } from './invocations/routes.ts'
import { locations } from './locations/handlers.ts'
import { logs } from './logs/handlers.ts'
import { domain, roots, serviceName, spellings } from './names.ts'
import { operations } from './operations/handlers.ts'
import { policies } from './policies/handlers.ts'
import { secretColumn } from './secrets/sealed.ts'
import type { FunctionsSettings } from './settings.ts'
import { source } from './source/handlers.ts'
import { sweepUploads } from './source/jobs.ts'

export type { FunctionsSettings } from './settings.ts'

/** Runs people's code behind an address, from zero, in a sandbox. */
export function functionsService(settings: FunctionsSettings): Service {
  const { baseUrl, region } = settings
  const deploy = deployJob(baseUrl)
  return serviceHolding<Held>({
    letter: 'G',
    name: serviceName,
    title: 'Functions',
    apis: [
      {
        dialect: googleServer({ domain, roots, spellings }),
        resources: {
          functions: functions(baseUrl, { deploy }),
          source: source(baseUrl),
          operations,
          policies,
          locations: locations(region),
          events,
          logs,
        },
      },
    ],
    start: startWith(settings),
    routes: invocationRoutes,
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      functions: 'their tenants delete them',
      revisions: 'go when another one takes over, or with their function',
      uploads: 'sweepUploads: a day after they expire',
      operations: { column: 'created_at', keepDays: 30 },
      secrets: 'their tenants delete them',
      deliveries: { column: 'failed_at', keepDays: 14 },
      log_lines: { column: 'at', keepDays: 7 },
      instances: 'leases: deleted when they end or expire',
      instance_waits: 'leases: deleted when they end or expire',
      retired_revisions: { column: 'retired_at', keepDays: 7 },
    },
    sealed: [secretColumn],
    jobs: [deliver, deploy, retire, deleteFunction, refuseExisting, sweepBlobs, sweepUploads],
    schedules: [{ job: sweepUploads, everyMs: 3_600_000 }],
  })
}
