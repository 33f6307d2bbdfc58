import type { Tenancy } from '@icosa/module'
import type { Values } from './settings.ts'
import { uploadKey } from './source/keys.ts'
import { removeRows, uploadsOf } from './tenancy-store.ts'

/** Instances end by themselves: their leases are rows. */
export const tenancy: Tenancy<Values> = {
  async release(tenant, { database, shared }) {
    for (const upload of await uploadsOf(database, tenant)) await shared.delete(uploadKey(upload))
  },
  removeRows,
}
