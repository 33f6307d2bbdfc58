import { batcher } from './batcher.ts'
import { expiringCache } from './expiring-cache.ts'

const rememberedMs = 1_000
const rememberedLimit = 100_000
/** Longer than any of ours: a stranger's are not remembered. */
const longestKey = 200
const waitingLimit = 20_000

/** Answers what was found under some of these keys. */
export type FindMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>

/**
 * Looks credentials up by keys that strangers may have made up. That something is unknown is remembered as well: otherwise
 * the time of an answer would tell.
 *
 * What is not remembered is asked for in a batch, one statement at a time: a flood of made-up keys keeps one connection
 * busy, not all, and who has a real key waits for two statements at most.
 */
export function lookup<T>(name: string, find: FindMany<T>): (key: string) => T | undefined | Promise<T | undefined> {
  const refusal = 'Too many credentials are being checked: try again shortly.'
  const ask = batcher(find, { maxWaiting: waitingLimit, refusal })
  const cache = expiringCache<T | undefined>({
    name,
    forMs: rememberedMs,
    limit: rememberedLimit,
    find: async (key) => (await ask(key)).get(key),
    keep: (_, key) => key.length <= longestKey,
  })
  return cache.get
}
