import type { Database } from '@icosa/kernel'
import { erasedRow } from './chain.ts'
import { personalRows, type RowId, replace } from './store.ts'

const pageSize = 1_000

/** Erases the personal fields of a deleted tenant's rows. The chains still verify. Returns the number of rows. */
export async function eraseAudit(database: Database, keys: readonly Uint8Array[], tenant: string): Promise<number> {
  let total = 0
  let after: RowId | undefined = { tenant: '', number: 0 }
  while (after) {
    const from: RowId = after
    const rows = await database.transaction(async (db) => {
      const page = await personalRows(db, tenant, from, pageSize)
      await replace(
        db,
        page.map((row) => erasedRow(keys, row)),
      )
      return page
    })
    total += rows.length
    after = rows.at(-1)
  }
  return total
}
