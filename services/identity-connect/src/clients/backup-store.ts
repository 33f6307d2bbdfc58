import { type ReadingDb, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'

export const clientTable = 'identity_connect.clients'

export const rowsOf = (tenant: string, id: string): RowsOf[] => [
  ownRows(clientTable, sql`tenant = ${tenant} and id = ${id}`, 'id', ['tenant', 'id', 'restored_by']),
]

/** Returns the tenant that owns an id, and the restore that created it. */
export function ownerOf(db: ReadingDb, id: string) {
  return db.maybe<{ readonly tenant: string; readonly restoredBy: string | null }>(sql`
    select tenant, restored_by as "restoredBy" from identity_connect.clients where id = ${id}`)
}
