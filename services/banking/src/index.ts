import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { blobsInUse as attachmentsInUse } from './attachments/store.ts'
import { pinColumn } from './cards/store.ts'
import { bankDialect } from './dialect/server.ts'
import { billEveryMs, billTenant, findUnbilled } from './invoices/jobs.ts'
import { keepPartitions } from './ledger/jobs.ts'
import { serviceName } from './names.ts'
import { deliverCallback } from './notifications/jobs.ts'
import { payRoutes } from './pages/routes.ts'
import { resources } from './resources.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, sealedKey, startWith } from './runtime.ts'
import { paySchedule } from './schedules/jobs.ts'
import { type BankSettings, defaultSettings } from './settings.ts'
import { views } from './views.ts'

export { type BankSettings, defaultSettings } from './settings.ts'

/** A bank: users and accounts on a double-entry ledger. */
export function banking(overrides: Partial<BankSettings> = {}): Service {
  const settings = { ...defaultSettings, ...overrides }
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'B',
    name: serviceName,
    title: 'Banking',
    views,
    apis: [{ dialect: bankDialect, resources }],
    start: startWith(settings),
    routes: payRoutes,
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs: { 'attachments/': attachmentsInUse },
    sealed: [sealedKey, pinColumn],
    jobs: [deliverCallback, paySchedule, keepPartitions, findUnbilled, billTenant],
    schedules: [
      { job: keepPartitions, everyMs: 600_000 },
      { job: findUnbilled, everyMs: billEveryMs },
    ],
  })
}
