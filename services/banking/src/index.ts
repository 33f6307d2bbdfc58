import { type Service, serviceHolding } from '@icosa/kernel'
import { access } from './access/handlers.ts'
import { accounts } from './accounts/handlers.ts'
import { bankDialect } from './dialect/server.ts'
import { type Held, sealedKey, startWith } from './held.ts'
import { serviceName } from './names.ts'
import { notifications } from './notifications/handlers.ts'
import { deliverCallback } from './notifications/jobs.ts'
import { payments } from './payments/handlers.ts'
import { requests } from './requests/handlers.ts'
import { retention } from './retention.ts'
import { type BankSettings, defaultSettings } from './settings.ts'
import { users } from './users/handlers.ts'

export { type BankSettings, defaultSettings } from './settings.ts'

/** A bank: users and their accounts, over a ledger that always balances. */
export function banking(given: Partial<BankSettings> = {}): Service {
  const settings = { ...defaultSettings, ...given }
  return serviceHolding<Held>({
    letter: 'B',
    name: serviceName,
    title: 'Banking',
    apis: [{ dialect: bankDialect, resources: { access, users, accounts, payments, requests, notifications } }],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention,
    sealed: [sealedKey],
    jobs: [deliverCallback],
  })
}
