import { createHash } from 'node:crypto'
import { Failure, type Platform } from '@icosa/kernel'
import { networkOf } from '@icosa/tokens/passwords/network'
import { countGuess, isWelcome, welcome } from './store.ts'

/**
 * Counts guesses at passwords. Those of one network at one name come to an end soon; those of all strangers at a name,
 * later: whoever has many addresses may not guess forever. A network from which somebody signed in of late is no
 * stranger to that name, so that nobody who knows it can lock them out. How often an address may ask at all, the
 * platform limits.
 */
export interface Guesses {
  /** Refuses, if there were too many of late. Counted before the password is looked at, whether or not somebody has the name. */
  count(username: string, address: string): Promise<void>
  succeed(username: string, address: string): Promise<void>
}

const windowMs = 15 * 60_000
const networkLimit = 20
const strangersLimit = 200

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')

/** What begins the keys that guesses at a name are counted under: the table tells nobody who tried. */
export const guessKey = (username: string) => hashed(username.toLowerCase())

export function openGuesses({ database, clock }: Pick<Platform, 'database' | 'clock'>): Guesses {
  const keysOf = (username: string, address: string) => {
    const strangers = guessKey(username)
    return { strangers, network: `${strangers}.${hashed(networkOf(address))}` }
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
      const { strangers, network } = keysOf(username, address)
      await count(network, networkLimit)
      if (!(await isWelcome(database, network))) await count(strangers, strangersLimit)
    },
    succeed: (username, address) => welcome(database, keysOf(username, address).network),
  }
}
