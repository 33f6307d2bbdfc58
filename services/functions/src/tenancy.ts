import type { Tenancy } from '@icosa/module'
import type { Values } from './settings.ts'
import { removeRows } from './tenancy-store.ts'

/** Instances end by themselves: their leases are rows. */
export const tenancy: Tenancy<Values> = { removeRows }
