import type { Api } from '@icosa/kernel'
import { keyValues } from '../key-values/handlers.ts'
import { keys, labels } from '../keys-and-labels/handlers.ts'
import { locks } from '../locks/handlers.ts'
import { revisions } from '../revisions/handlers.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import { operations, snapshots } from '../snapshots/handlers.ts'
import { at } from './contract.ts'
import { storeDialect } from './dialect.ts'

/** The API with which applications read and write a store. */
export const dataPlane = (settings: ConfigurationStoresSettings): Api<ServiceRuntime> => ({
  name: 'data-plane',
  title: 'Configuration stores: key-values and snapshots',
  at,
  dialect: storeDialect(settings),
  resources: {
    KeyValues: keyValues,
    Locks: locks,
    Keys: keys,
    Labels: labels,
    Revisions: revisions,
    Snapshots: snapshots,
    Operations: operations,
  },
})
