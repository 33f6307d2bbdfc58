import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { at } from './data-plane/contract.ts'
import { moduleDialect } from './data-plane/dialect.ts'
import { keys } from './keys/handlers.ts'
import { moduleKeys } from './keys/holder.ts'
import { destroyKey } from './keys/jobs.ts'
import { materialColumn } from './keys/sealed.ts'
import { api, modules as contract, Module } from './modules/contract.ts'
import { modules } from './modules/handlers.ts'
import { moduleJobs } from './modules/jobs.ts'
import { tokenColumn } from './modules/sealed.ts'
import { movesOf } from './moves.ts'
import { originalNamespace, serviceName, versions } from './names.ts'
import { pin } from './pins/handlers.ts'
import { type ServiceRuntime, starting } from './runtime.ts'
import { defaultSettings, type HsmSettings } from './settings.ts'
import { uses } from './uses/handlers.ts'
import { views } from './views.ts'

export { defaultSettings, type HsmSettings } from './settings.ts'

/** Hardware security modules: a management API, and an API to create and use their keys. */
export function hardwareSecurityModules(overrides: Partial<HsmSettings> = {}): Service {
  const settings = { ...defaultSettings, ...overrides }
  const jobs = moduleJobs(settings)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'H',
    name: serviceName,
    title: 'Hardware security modules',
    moves: movesOf(settings),
    views,
    apis: [
      {
        dialect: armServer(api, { original: originalNamespace, versions, result: Module }),
        resources: {
          DedicatedHsm: modules({ settings, jobs }),
          Operations: listedOperations(api, [contract], 'Hardware security modules'),
        },
      },
      {
        name: 'data-plane',
        title: 'Hardware security modules: keys',
        at,
        dialect: moduleDialect,
        resources: { Keys: keys({ settings, jobs: { destroyKey } }), Uses: uses, Pin: pin },
      },
    ],
    start: starting(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      modules: 'deleted by their tenants; at most ICOSA_HSM_TENANT_MODULES per tenant',
      keys: 'deleted with their module; at most ICOSA_HSM_MODULE_KEYS per module',
      uses: { column: 'at', keepDays: 2_557 }, // seven years, as auditors require
    },
    sealed: [tokenColumn, materialColumn],
    derives: ['hardware security modules: pins'],
    keys: moduleKeys,
    jobs: [...Object.values(jobs), destroyKey],
  })
}
