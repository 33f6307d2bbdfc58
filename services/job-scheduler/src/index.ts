import { type Sending, startSending } from '@icosa/delivery'
import { armServer } from '@icosa/dialects/arm/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { collectionBackup } from './backups.ts'
import { api } from './collections/contract.ts'
import { collections } from './collections/handlers.ts'
import { enableJobs, removeJobs } from './collections/jobs.ts'
import { deliverJob } from './firing/deliver.ts'
import { fireEveryMs, fireJob, hasDue } from './firing/fire.ts'
import { rewind, rewindEveryMs } from './firing/rewind.ts'
import { jobs } from './jobs/handlers.ts'
import { originalNamespace, serviceName, versions } from './names.ts'
import { jobSecrets } from './secrets/secrets.ts'
import { defaultSettings, type SchedulerSettings } from './settings.ts'
import { views } from './views.ts'

export { defaultSettings, type SchedulerSettings } from './settings.ts'

/** Sends requests and messages at scheduled times, once each, on any number of nodes. */
export function jobScheduler(settings: Partial<SchedulerSettings> = {}): Service {
  const deliver = deliverJob({ ...defaultSettings, ...settings })
  const fire = fireJob(deliver)
  return serviceWithRuntime<Sending>({
    letter: 'J',
    name: serviceName,
    title: 'Job Scheduler',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: armServer(api, { original: originalNamespace, versions }),
        resources: { Jobs: jobs({ deliver }), JobCollections: collections },
      },
    ],
    start: startSending,
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      history: { column: 'ended_at', keepDays: 60 },
      collections: 'their tenants delete them',
      jobs: 'limited by the quota of their collection',
      statuses: 'one per job',
      executions: 'deleted when they have ended',
    },
    sealed: [jobSecrets],
    backups: [collectionBackup],
    jobs: [fire, deliver, rewind, enableJobs, removeJobs],
    schedules: [
      { job: fire, everyMs: fireEveryMs, hasWork: hasDue },
      { job: rewind, everyMs: rewindEveryMs },
    ],
  })
}
