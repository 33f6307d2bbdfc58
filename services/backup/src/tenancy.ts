import type { Hold, Tenancy } from '@icosa/module'
import { openRestic } from './restic/restic.ts'
import { settled, type Values } from './settings.ts'
import { countHeld, type LockedVault, lockedVaultsOf, vaultIdsOf } from './tenancy-store.ts'
import { isForever } from './vaults/lock.ts'

export const tenancy: Tenancy<Values> = {
  async holds(db, tenant, now) {
    const holds = (await lockedVaultsOf(db, tenant)).map((vault) => holdOf(vault, now))
    const held = await countHeld(db, tenant)
    return held === 0 ? holds : [...holds, { reason: `legal holds keep ${held} recovery points`, isFinal: false }]
  },

  async release(tenant, { settings, facts, database, say }) {
    const restic = openRestic(settled(settings, facts))
    for (const path of await vaultIdsOf(database, tenant)) {
      await restic.erase({ path })
      if (!restic.isFolder)
        say(`Delete ${restic.locationOf({ path })}: its password goes now, so that nobody can read it any more.`)
    }
  },
}

function holdOf(vault: LockedVault, now: Date): Hold {
  const { name, points, until } = vault
  const isFinal = isForever(vault, now)
  const how = isFinal ? 'is locked for ever' : 'is locked'
  const end = until ? `the last of its ${points} recovery points goes on ${until.toISOString()}` : `it keeps ${points}`
  return { reason: `the vault '${name}' ${how}: ${end}${until ? '' : ' recovery points without an end'}`, isFinal }
}
