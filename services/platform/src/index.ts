import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { audit } from './audit/handlers.ts'
import { catalogue } from './catalogue/handlers.ts'
import { clock } from './clock/handlers.ts'
import { faults } from './faults/handlers.ts'
import { history } from './history/handlers.ts'
import { jobs } from './jobs/handlers.ts'
import { countEveryMs, countLimited } from './limits/bytes/count.ts'
import { keyHeader } from './names.ts'
import { registry } from './registry/handlers.ts'
import { requests } from './requests/handlers.ts'
import { retention } from './retention.ts'
import { type PlatformOptions, type ServiceRuntime, start } from './runtime.ts'
import { snapshots } from './snapshots/handlers.ts'
import { state } from './state/handlers.ts'
import { deleteBlobs } from './state/jobs.ts'
import { status } from './status/handlers.ts'
import { tenants } from './tenants/handlers.ts'
import { views } from './views.ts'

export type { Controls, SnapshotControls } from './development.ts'
export type { SnapshotAction, SnapshotChanges } from './snapshots/contract.ts'
export type { TenantEndpoint } from './tenants/contract.ts'

const dialect = keyedServer({ name: 'platform', headers: [keyHeader] })

/** Operations that every node serves: they only read. */
const resources = { audit, catalogue, history, jobs, registry, requests, status }

export const platformWith = (options: PlatformOptions): Service =>
  serviceWithRuntime<ServiceRuntime>({
    ...{ name: 'platform', title: 'The platform itself', moves: 'withRows', views },
    apis: [
      {
        dialect,
        resources: options.isDevelopment ? { ...resources, clock, faults, snapshots, state, tenants } : resources,
      },
    ],
    start: (platform, onStop) => start(platform, onStop, options),
    accessLog: (_, { audit }) => audit.record,
    observe: (_, { audit, feed, controls }) => {
      return (...observed) => {
        audit.observe(...observed)
        feed.observe(...observed)
        const [, service, exchange] = observed
        // The reply is written in this turn of the event loop.
        if (controls && service === 'platform' && exchange().operation in snapshots.contract)
          setImmediate(controls.snapshots.proceed)
      }
    },
    admit: (_, { limits }) => limits.admit,
    routes:
      ({ runtime }) =>
      async (app) =>
        void app.addHook('preClose', async () => runtime.feed.close()),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    jobs: [deleteBlobs, countLimited],
    schedules: [{ job: countLimited, everyMs: countEveryMs }],
  })

/** With operations for development and tests. Only nodes with a virtual clock serve it. */
export const platform: Service = platformWith({ isDevelopment: true, keepsHistory: true })

/** Part that runs on every node: audit log, limits, metrics, and operations that only read. */
export const operating: Service = platformWith({ isDevelopment: false, keepsHistory: false })
