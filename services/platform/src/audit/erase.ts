import type { Database } from '@icosa/kernel'
import { erasedRow } from './chain.ts'
import { personalRows, replace } from './store.ts'

const pageSize = 1_000

/** Erases the personal fields of a deleted tenant's rows. The chains still verify. Returns the number of rows. */
export async function eraseAudit(database: Database, keys: readonly Uint8Array[], tenant: string): Promise<number> {
  for (let total = 0; ; ) {
    const count = await database.transaction(async (db) => {
      const rows = await personalRows(db, tenant, pageSize)
      await replace(
        db,
        rows.map((row) => erasedRow(keys, row)),
      )
      return rows.length
    })
    total += count
    if (count < pageSize) return total
  }
}
