import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Api, type Service, serviceWithRuntime } from '@icosa/kernel'
import { clock } from './clock/handlers.ts'
import { countEveryMs, countLimited } from './limits/bytes/count.ts'
import { keyHeader } from './names.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, start } from './runtime.ts'
import { state } from './state/handlers.ts'
import { deleteBlobs } from './state/jobs.ts'

const dialect = keyedServer({ name: 'platform', headers: [keyHeader] })

const platformWith = (resources: Api<ServiceRuntime>['resources']): Service =>
  serviceWithRuntime<ServiceRuntime>({
    name: 'platform',
    title: 'The platform itself: clock and state',
    apis: [{ dialect, resources }],
    start,
    observe: (_, { audit }) => audit.observe,
    admit: (_, { limits }) => limits.admit,
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    jobs: [deleteBlobs, countLimited],
    schedules: [{ job: countLimited, everyMs: countEveryMs }],
  })

/** With operations for development and tests. Only nodes with a virtual clock serve it. */
export const platform: Service = platformWith({ clock, state })

/** Part that runs on every node: audit log, limits and metrics, without operations. */
export const operating: Service = platformWith({})
