/** What was found for a key, for a while; `then` gets it at once where it is known. Nothing ever throws or rejects. */
export type Believed<T> = (key: string, then: (found: T) => void) => void

export interface BelievedOptions<T> {
  readonly forMs: number
  readonly most: number
  readonly find: (key: string) => Promise<T>
  /** What to believe if it cannot be found out. */
  readonly otherwise: T
  readonly onError: (error: unknown) => void
}

/** On the path of every request, so what is known costs one look into a map; of many who ask at once, one asks. */
export function believed<T>({ forMs, most, find, otherwise, onError }: BelievedOptions<T>): Believed<T> {
  const known = new Map<string, { readonly found: T; readonly until: number }>()
  const asking = new Map<string, Promise<T>>()

  function ask(key: string): Promise<T> {
    const answer = find(key)
      .catch((error: unknown) => {
        onError(error)
        return otherwise
      })
      .then((found) => {
        if (known.size >= most) known.clear()
        known.set(key, { found, until: performance.now() + forMs })
        asking.delete(key)
        return found
      })
    asking.set(key, answer)
    return answer
  }

  return (key, then) => {
    const entry = known.get(key)
    if (entry && entry.until > performance.now()) return then(entry.found)
    void (asking.get(key) ?? ask(key)).then(then).catch(onError)
  }
}
