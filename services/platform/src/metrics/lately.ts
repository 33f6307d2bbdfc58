const refreshMs = 10_000

/**
 * Returns the latest value and refreshes it for the next call (stale-while-revalidate): a node that is not scraped does not
 * query the database.
 */
export function lately<T>(read: () => Promise<T>, initial: T, onError: (error: Error) => void): () => T {
  let latest = initial
  let refreshedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    latest = await read()
  }

  return () => {
    if (performance.now() - refreshedAt >= refreshMs) {
      refreshedAt = performance.now()
      refresh().catch(onError)
    }
    return latest
  }
}
