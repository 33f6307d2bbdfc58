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

/** With what developers and tests do to the platform itself. Only nodes whose clock can be moved serve it. */
export const platform: Service = platformWith({ clock, state })

/** What every node has of it: audit log, limits and figures, and no operation. */
export const operating: Service = platformWith({})
