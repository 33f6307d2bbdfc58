import type { Session, SqlHost } from './host.ts'
import { endSessionsIn, endSessionsOf } from './sessions-store.ts'
import * as store from './store.ts'

/**
 * Drops a database and its role, as far as they exist. The role is locked out first: then it can create no more objects in
 * other databases, and those that exist are dropped with it. `onClosed` runs when nothing can be written to the database any
 * more.
 */
export async function removeAll(
  host: SqlHost,
  admin: Session,
  name: string,
  onClosed: () => Promise<void> = async () => {},
): Promise<void> {
  const hasRole = await store.hasRole(admin, name)
  if (hasRole) {
    await store.setSignIn(admin, name, false)
    await endSessionsOf(admin, name)
  }
  if (await store.hasDatabase(admin, name)) {
    const isWhole = !(await store.isHalfDropped(admin, name))
    if (isWhole) await store.setOpen(admin, name, false)
    await endSessionsIn(admin, name)
    if (isWhole) await onClosed()
    await store.dropDatabase(admin, name)
  }
  if (!hasRole) return
  for (const database of await store.databasesWith(admin, name))
    await host.inside(database, (inside) => store.dropOwned(inside, name))
  await store.dropOwned(admin, name)
  await store.dropRole(admin, name)
}
