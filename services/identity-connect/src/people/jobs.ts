import { job } from '@icosa/kernel'
import * as attempts from '../attempts/store.ts'
import * as links from '../links/store.ts'
import * as passkeys from '../passkeys/store.ts'

const dayMs = 24 * 3_600_000

/** Deletes expired rows. Attempts are kept a day longer than any lock looks back. */
export const forgetExpired = job<object>('forgetExpired', {
  async run(_, { clock }) {
    const now = clock.now()
    return async (db) => {
      await passkeys.pruneChallenges(db, now)
      await links.prune(db, new Date(now.getTime() - dayMs))
      await attempts.prune(db, new Date(now.getTime() - 2 * dayMs))
    }
  },
})
