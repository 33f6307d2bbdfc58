import type { Tenancy } from '@icosa/module'
import type { Values } from './settings.ts'
import { removeRows } from './tenancy-store.ts'

/** Instances end without their leases, which are rows. */
export const tenancy: Tenancy<Values> = { removeRows }
