import type { Tenancy } from '@icosa/module'
import { revoke } from '@icosa/tokens'
import { removeRows, subjectsOf } from './tenancy-store.ts'

export const tenancy: Tenancy = {
  /** A token that was issued to somebody is valid until it expires, unless it is refused by name. */
  release: (tenant, { database }) =>
    database.transaction(async (db) => {
      for (const subject of await subjectsOf(db, tenant)) await revoke(db, subject)
    }),
  removeRows,
}
