import { Failure } from '../errors.ts'

const believedMs = 1_000
const cachedLimit = 100_000
/** Longer than any of ours: a stranger's are not kept. */
const longestKey = 200
const waitingLimit = 20_000

/** Answers what was found under some of these keys. */
export type FindMany<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>

/**
 * Looks things up by keys that strangers may have made up. Answers from memory without a promise, since this is on the
 * path of every request. That something is unknown is remembered as well: otherwise the time of an answer would tell.
 *
 * What is not remembered is asked for together, one statement at a time: a flood of made-up keys keeps one connection
 * busy, not all, and who has a real key waits for two statements at most.
 */
export function lookup<T>(find: FindMany<T>): (key: string) => T | undefined | Promise<T | undefined> {
  const cache = new Map<string, { readonly found: T | undefined; readonly until: number }>()
  let waiting = new Map<string, PromiseWithResolvers<T | undefined>>()
  let asking = new Map<string, PromiseWithResolvers<T | undefined>>()

  async function ask(): Promise<void> {
    while (waiting.size > 0) {
      asking = waiting
      waiting = new Map()
      const found = await find([...asking.keys()]).catch((error: Error) => error)
      for (const [key, { resolve, reject }] of asking) {
        if (found instanceof Error) reject(found)
        else resolve(remember(key, found.get(key)))
      }
      asking = new Map()
    }
  }

  function remember(key: string, found: T | undefined): T | undefined {
    if (cache.size >= cachedLimit) cache.clear()
    if (key.length <= longestKey) cache.set(key, { found, until: performance.now() + believedMs })
    return found
  }

  return (key) => {
    const entry = cache.get(key)
    if (entry && entry.until > performance.now()) return entry.found
    const asked = asking.get(key) ?? waiting.get(key)
    if (asked) return asked.promise
    if (waiting.size >= waitingLimit)
      throw new Failure('unavailable', 'Too many credentials are being checked: try again shortly.', {
        retryAfterSeconds: 1,
      })
    const isIdle = waiting.size === 0 && asking.size === 0
    const answer = Promise.withResolvers<T | undefined>()
    waiting.set(key, answer)
    if (isIdle) void ask()
    return answer.promise
  }
}
