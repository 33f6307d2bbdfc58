import type { Hold, Tenancy } from '@icosa/module'
import { openRestic } from './restic/restic.ts'
import { resolveSettings, type Values } from './settings.ts'
import { countHeld, type LockedVault, lockedVaultsOf, vaultIdsOf } from './tenancy-store.ts'
import { isForever } from './vaults/lock.ts'

export const tenancy: Tenancy<Values> = {
  async holds(db, tenant, now) {
    const holds = (await lockedVaultsOf(db, tenant)).map((vault) => holdOf(vault, now))
    const count = await countHeld(db, tenant)
    return count === 0 ? holds : [...holds, { reason: `legal holds keep ${count} recovery points`, isFinal: false }]
  },

  async release(tenant, { settings, facts, database, say }) {
    const restic = openRestic(resolveSettings(settings, facts))
    for (const path of await vaultIdsOf(database, tenant)) {
      await restic.erase({ path })
      if (!restic.isFolder)
        say(`Delete ${restic.locationOf({ path })}: its password is deleted now, so its data cannot be read any more.`)
    }
  },
}

function holdOf(vault: LockedVault, now: Date): Hold {
  const { name, points, until } = vault
  const isFinal = isForever(vault, now)
  const how = isFinal ? 'is locked permanently' : 'is locked'
  const end = until
    ? `the last of its ${points} recovery points expires on ${until.toISOString()}`
    : `at least one of its ${points} recovery points never expires`
  return { reason: `the vault '${name}' ${how}: ${end}`, isFinal }
}
