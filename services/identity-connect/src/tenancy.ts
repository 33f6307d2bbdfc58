import type { Tenancy } from '@icosa/module'
import { revoke } from '@icosa/tokens'
import { removeRows, subjectsOf } from './tenancy-store.ts'

export const tenancy: Tenancy = {
  /** Issued tokens are valid until they expire, unless their subject is revoked. */
  release: (tenant, { database }) =>
    database.transaction(async (db) => {
      for (const subject of await subjectsOf(db, tenant)) await revoke(db, subject)
    }),
  removeRows,
}
