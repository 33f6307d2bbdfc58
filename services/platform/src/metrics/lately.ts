const refreshMs = 10_000

/**
 * What was last known. Whoever reads it has it read again for the next time: a node whose figures nobody reads asks the
 * database nothing.
 */
export function lately<T>(read: () => Promise<T>, atFirst: T, onError: (error: Error) => void): () => T {
  let known = atFirst
  let askedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    known = await read()
  }

  return () => {
    if (performance.now() - askedAt >= refreshMs) {
      askedAt = performance.now()
      refresh().catch(onError)
    }
    return known
  }
}
