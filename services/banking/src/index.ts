import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { allocatePayment } from './allocations/jobs.ts'
import { blobsInUse as attachmentsInUse } from './attachments/store.ts'
import { pinColumn } from './cards/store.ts'
import { bankDialect } from './dialect/server.ts'
import { billEveryMs, billTenant, findUnbilled } from './invoices/jobs.ts'
import { keepPartitions } from './ledger/jobs.ts'
import { serviceName } from './names.ts'
import { deliverCallback } from './notifications/jobs.ts'
import { mailEvent } from './notifications/mail.ts'
import { payRoutes } from './pages/routes.ts'
import { resources } from './resources.ts'
import { retention } from './retention.ts'
import { type ServiceRuntime, sealedKey, startWith } from './runtime.ts'
import { paySchedule } from './schedules/jobs.ts'
import { type BankSettings, defaultSettings } from './settings.ts'
import { tenantRules } from './tenant-rules.ts'
import { settleTopUp } from './topups/jobs.ts'
import { views } from './views.ts'

export { type BankSettings, defaultSettings } from './settings.ts'

/** A bank: users and accounts on a double-entry ledger. */
export function banking(overrides: Partial<BankSettings> = {}): Service {
  const settings = { ...defaultSettings, ...overrides }
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'B',
    name: serviceName,
    title: 'Banking',
    moves: 'withRows',
    views,
    apis: [{ dialect: bankDialect, resources }],
    start: startWith(settings),
    tenantRules,
    routes: payRoutes,
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    blobs: { 'attachments/': attachmentsInUse },
    sealed: [sealedKey, pinColumn],
    derives: ['cvc2', 'OAuth clients', 'OAuth secrets', 'share URLs'].map((purpose) => `${serviceName} ${purpose}`),
    jobs: [
      deliverCallback,
      mailEvent,
      allocatePayment,
      settleTopUp,
      paySchedule,
      keepPartitions,
      findUnbilled,
      billTenant,
    ],
    schedules: [
      { job: keepPartitions, everyMs: 600_000 },
      { job: findUnbilled, everyMs: billEveryMs },
    ],
  })
}
