import { googleServer } from '@icosa/dialects/google/server'
import { type Service, serviceHolding } from '@icosa/kernel'
import { deleteFunction, deployJob, refuseExisting } from './deploy/jobs.ts'
import { functions } from './functions/handlers.ts'
import { type Held, startWith } from './held.ts'
import { locations } from './locations/handlers.ts'
import { domain, roots, serviceName } from './names.ts'
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
        dialect: googleServer({ domain, roots }),
        resources: {
          functions: functions(baseUrl, { deploy }),
          source: source(baseUrl),
          operations,
          policies,
          locations: locations(region),
        },
      },
    ],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      functions: 'their tenants delete them',
      revisions: 'go when another one takes over, or with their function',
      uploads: 'sweepUploads: a day after they expire',
      operations: { column: 'created_at', keepDays: 30 },
      secrets: 'their tenants delete them',
    },
    sealed: [secretColumn],
    jobs: [deploy, deleteFunction, refuseExisting, sweepUploads],
    schedules: [{ job: sweepUploads, everyMs: 3_600_000 }],
  })
}
