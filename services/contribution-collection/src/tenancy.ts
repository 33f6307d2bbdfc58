import type { Tenancy } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { guessKey } from './access/guesses.ts'
import { deleteGuesses, usernamesOf } from './access/store.ts'
import type { settings } from './settings.ts'

export const tenancy: Tenancy<ValuesOf<typeof settings>> = {
  async removeRows(db, tenant) {
    const usernames = await usernamesOf(db, tenant)
    let removed = 0
    for (const username of usernames) removed += await deleteGuesses(db, guessKey(username))
    return removed
  },
  // Triggers note each contribution that is imported, and tallies count what they have noted.
  notImported: ['tallies', 'tally_changes', 'value_changes'].map((table) => `contribution_collection.${table}`),
}
