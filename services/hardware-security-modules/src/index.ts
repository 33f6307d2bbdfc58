import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { dataPlane } from './data-plane/api.ts'
import { moduleKeys } from './keys/holder.ts'
import { destroyKey } from './keys/jobs.ts'
import { materialColumn } from './keys/sealed.ts'
import { api, modules as contract, Module } from './modules/contract.ts'
import { modules } from './modules/handlers.ts'
import { moduleJobs } from './modules/jobs.ts'
import { tokenColumn } from './modules/sealed.ts'
import { originalNamespace, serviceName, versions } from './names.ts'
import { type ServiceRuntime, starting } from './runtime.ts'
import { defaultSettings, type HsmSettings } from './settings.ts'

export { defaultSettings, type HsmSettings } from './settings.ts'

/** Modules that hold keys and never give them out: their management, and the API by which keys are made and used. */
export function hardwareSecurityModules(given: Partial<HsmSettings> = {}): Service {
  const settings = { ...defaultSettings, ...given }
  const jobs = moduleJobs(settings)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'H',
    name: serviceName,
    title: 'Hardware security modules',
    apis: [
      {
        dialect: armServer(api, { original: originalNamespace, versions, result: Module }),
        resources: {
          DedicatedHsm: modules({ settings, jobs }),
          Operations: listedOperations(api, [contract], 'Hardware security modules'),
        },
      },
      dataPlane({ settings, jobs: { destroyKey } }),
    ],
    start: starting(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      modules: 'their tenants delete them; a tenant has no more than ICOSA_HSM_TENANT_MODULES',
      keys: 'go with their module, which takes no more than ICOSA_HSM_MODULE_KEYS',
      uses: { column: 'at', keepDays: 2_557 }, // seven years, which is what auditors ask for
    },
    sealed: [tokenColumn, materialColumn],
    keys: moduleKeys,
    jobs: [...Object.values(jobs), destroyKey],
  })
}
