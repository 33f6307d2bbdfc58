import type { Tenancy } from '@icosa/module'
import { removeRetired } from './instances/store.ts'
import type { Values } from './settings.ts'

/** Instances end without their leases, which are rows. */
export const tenancy: Tenancy<Values> = { removeRows: removeRetired }
