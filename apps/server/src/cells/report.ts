import { type Database, sql } from '@icosa/kernel'
import { deleteChanges, hasChanges, lockChanges, type OwnedName, refuseChanges } from './changes-store.ts'
import type { Directory } from './directory.ts'
import { apply } from './names-store.ts'

export interface Reporting {
  readonly database: Database
  readonly directory: Directory
  /** Name of the cell. */
  readonly cell: string
}

const batch = 200

/**
 * Tells the directory which names and tenants the cell has got or lost. Returns those that it refuses. A mover calls it
 * for a fenced tenant, before the tenant is elsewhere.
 */
export async function reportChanges({ database, directory, cell }: Reporting): Promise<OwnedName[]> {
  const allRefused: OwnedName[] = []
  for (let isMore = await hasChanges(database); isMore; ) {
    await directory.use((db) => db.one(sql`select 1`)) // nothing is locked here if it is away
    isMore = await database.transaction(async (db) => {
      const changes = await lockChanges(db, batch)
      if (changes.length === 0) return false
      const refused = await directory.use((database) => database.transaction((db) => apply(db, changes, cell)))
      const isRefused = new Set(refused.map(keyOf))
      await deleteChanges(
        db,
        changes.filter((change) => !isRefused.has(keyOf(change))),
      )
      if (refused.length > 0) await refuseChanges(db, refused)
      allRefused.push(...refused)
      return changes.length === batch
    })
  }
  return allRefused
}

const keyOf = ({ purpose, name, owner }: OwnedName) => JSON.stringify([purpose, name, owner])
