import { generations } from './recently-used.ts'

export interface ExpiringCacheOptions<T> {
  /** Under which it has figures in `/metrics`. */
  readonly name: string
  /** For how long what was found is taken to be true: on other nodes a change is seen after this time at the latest. */
  readonly forMs: number
  /** How many keys are remembered. */
  readonly limit: number
  readonly find: (key: string) => Promise<T>
  /** Whether to remember it; always, if nothing is said. */
  readonly keep?: (found: T, key: string) => boolean
}

export interface ExpiringCache<T> {
  /** What is remembered comes without a promise: this may be on the path of every request. */
  get(key: string): T | Promise<T>
  /**
   * To be called before a change commits. For as long as a node may remember something nothing is remembered here, so
   * what is read before the commit is not either.
   */
  forget(key: string): void
}

/** What was found by key, remembered for a while. Of many who ask for it at once, one asks the database. */
export function expiringCache<T>(options: ExpiringCacheOptions<T>): ExpiringCache<T> {
  const { name, forMs, limit, find, keep = () => true } = options
  const { figures, ...known } = generations<{ readonly found: T; readonly until: number }>(name, limit)
  const asking = new Map<string, Promise<T>>()
  const changing = new Map<string, number>()
  const isChanging = (key: string, now: number) => changing.size > 0 && (changing.get(key) ?? 0) > now

  async function ask(key: string): Promise<T> {
    const until = performance.now() + forMs // from the question: the answer may be old when it comes
    try {
      const found = await find(key)
      if (keep(found, key) && !isChanging(key, performance.now())) known.set(key, { found, until })
      return found
    } finally {
      asking.delete(key)
    }
  }

  return {
    get(key) {
      const now = performance.now()
      const entry = known.get(key)
      if (entry && entry.until > now) {
        figures.hits++
        return entry.found
      }
      figures.misses++ // whoever finds it being asked for, too
      if (isChanging(key, now)) return find(key)
      let answer = asking.get(key)
      if (!answer) {
        answer = ask(key)
        asking.set(key, answer)
      }
      return answer
    },
    forget(key) {
      const now = performance.now()
      for (const [other, until] of changing) if (until < now) changing.delete(other)
      changing.set(key, now + forMs)
      known.delete(key)
      asking.delete(key)
    },
  }
}
