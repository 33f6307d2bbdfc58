import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Api, type Service, serviceWithRuntime } from '@icosa/kernel'
import { catalogue } from './catalogue/handlers.ts'
import { clock } from './clock/handlers.ts'
import { countEveryMs, countLimited } from './limits/bytes/count.ts'
import { keyHeader } from './names.ts'
import { registry } from './registry/handlers.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, start } from './runtime.ts'
import { state } from './state/handlers.ts'
import { deleteBlobs } from './state/jobs.ts'
import { status } from './status/handlers.ts'
import { views } from './views.ts'

const dialect = keyedServer({ name: 'platform', headers: [keyHeader] })

const platformWith = (resources: Api<ServiceRuntime>['resources']): Service =>
  serviceWithRuntime<ServiceRuntime>({
    name: 'platform',
    title: 'The platform itself',
    views,
    apis: [{ dialect, resources }],
    start,
    observe: (_, { audit }) => audit.observe,
    admit: (_, { limits }) => limits.admit,
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    jobs: [deleteBlobs, countLimited],
    schedules: [{ job: countLimited, everyMs: countEveryMs }],
  })

/** Operations that every node serves: what the console needs. */
const resources = { catalogue, registry, status }

/** With operations for development and tests. Only nodes with a virtual clock serve it. */
export const platform: Service = platformWith({ ...resources, clock, state })

/** Part that runs on every node: catalogue, registry, audit log, limits and metrics. */
export const operating: Service = platformWith(resources)
