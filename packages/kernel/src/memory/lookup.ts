import { batcher } from './batcher.ts'
import { expiringCache } from './expiring-cache.ts'

const rememberedMs = 1_000
const rememberedLimit = 100_000
/** Longer than any valid key: such keys are not cached. */
const maxKeyLength = 200
const waitingLimit = 20_000

/** Returns the values found, by key. */
export type FindMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>

/**
 * Looks up credentials by untrusted keys. Misses are cached as well: otherwise response times would reveal them.
 *
 * Misses are read in batches, one statement at a time: a flood of invalid keys occupies one connection, not all, and
 * valid keys wait for two statements at most.
 */
export function lookup<T>(name: string, find: FindMany<T>): (key: string) => T | undefined | Promise<T | undefined> {
  const refusal = 'Too many credentials are being checked: try again shortly.'
  const ask = batcher(find, { maxWaiting: waitingLimit, refusal })
  const cache = expiringCache<T | undefined>({
    name,
    forMs: rememberedMs,
    limit: rememberedLimit,
    find: async (key) => (await ask(key)).get(key),
    keep: (_, key) => key.length <= maxKeyLength,
  })
  return cache.get
}
