import { createHash } from 'node:crypto'
import { Failure, type Platform } from '@icosa/kernel'
import { networkOf } from '@icosa/tokens/passwords/network'
import { countGuess, hasSignedIn, recordSignIn } from './store.ts'

/**
 * Limits password guesses per user name: from one network after a few, from all unknown networks after more, since an
 * attacker may have many addresses. A network with a recent sign-in is exempt from the second limit, so that an attacker
 * cannot lock the user out. The platform limits requests per address.
 */
export interface Guesses {
  /** Throws after too many guesses. Call it before verifying the password, even if the name is unknown. */
  count(username: string, address: string): Promise<void>
  succeed(username: string, address: string): Promise<void>
}

const windowMs = 15 * 60_000
const networkLimit = 20
const unknownLimit = 200

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Key prefix of a name's counters, hashed: the table does not reveal names. */
export const guessKey = (username: string) => hashed(username.toLowerCase())

export function openGuesses({ database, clock }: Pick<Platform, 'database' | 'clock'>): Guesses {
  const keysOf = (username: string, address: string) => {
    const unknown = guessKey(username)
    return { unknown, network: `${unknown}.${hashed(networkOf(address))}` }
  }
  const count = async (key: string, limit: number) => {
    const now = clock.now()
    if ((await countGuess(database, key, now, new Date(now.getTime() - windowMs))) > limit)
      throw new Failure('rateLimited', 'There were too many attempts with this name: try again in 15 minutes.', {
        retryAfterSeconds: windowMs / 1_000,
      })
  }
  return {
    async count(username, address) {
      const { unknown, network } = keysOf(username, address)
      await count(network, networkLimit)
      if (!(await hasSignedIn(database, network))) await count(unknown, unknownLimit)
    },
    succeed: (username, address) => recordSignIn(database, keysOf(username, address).network),
  }
}
