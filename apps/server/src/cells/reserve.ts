import { type Database, findTag, type ReserveName, systemClock, tagOf } from '@icosa/kernel'
import { ask, grant, type OwnedName } from './changes-store.ts'
import type { Directory } from './directory.ts'
import { NameTaken, reserve } from './names-store.ts'
import { type Reporting, reportChanges } from './report.ts'

/**
 * Reserves names of a cell in the directory before they are committed. The cell's own row, written first, makes sure
 * that a reservation which is not used, after a crash for instance, is given up: ADR 103.
 */
export const reserveName =
  (directory: Directory, cell: string) =>
  (database: Database): ReserveName =>
  async ({ tenant, ...name }) => {
    const owned = { ...name, owner: tenant }
    const tag = name.purpose === 'tag' ? name.name : await ensureTag(database, tenant)
    for (;;) {
      if (await ask(database, owned)) return
      const isReserved = await reserveOnce({ database, directory, cell }, owned, tag)
      if (!isReserved || (await grant(database, owned))) return
    }
  }

/** The directory knows tenants by their tags. One that has no credentials may not have a tag yet. */
const ensureTag = async (database: Database, tenant: string): Promise<string> =>
  (await findTag(database, tenant)) ?? database.transaction((db) => tagOf(db, systemClock, tenant), tenant)

/** Returns false if the random tag of a new tenant is taken: the next attempt has another one. */
async function reserveOnce(reporting: Reporting, name: OwnedName, tag: string): Promise<boolean> {
  const { directory, cell } = reporting
  const once = () => directory.use((database) => database.transaction((db) => reserve(db, name, tag, cell)))
  try {
    await once()
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error
    if (name.purpose === 'tag') return false
    await reportChanges(reporting) // another tenant of the cell may have given it up a moment ago
    await once()
  }
  return true
}
