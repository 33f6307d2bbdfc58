import type { Api } from '@icosa/kernel'
import { keys } from '../keys/handlers.ts'
import type { KeyJobs } from '../keys/jobs.ts'
import { pin } from '../pins/handlers.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { HsmSettings } from '../settings.ts'
import { uses } from '../uses/handlers.ts'
import { at } from './contract.ts'
import { moduleDialect } from './dialect.ts'

/** API with which applications create and use the keys of a module. */
export const dataPlane = (parts: { readonly settings: HsmSettings; readonly jobs: KeyJobs }): Api<ServiceRuntime> => ({
  name: 'data-plane',
  title: 'Hardware security modules: keys',
  at,
  dialect: moduleDialect,
  resources: { Keys: keys(parts), Uses: uses, Pin: pin },
})
