/**
 * Runs `work` at most once in `everyMs`. Whoever asks in between gets the outcome of that run, or waits for it. A run
 * that failed is repeated when `afterFailureMs` have passed.
 */
export function atMostEvery(everyMs: number, work: () => Promise<void>, afterFailureMs = 0): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY
  let latest = Promise.resolve()
  return () => {
    if (performance.now() < nextAt) return latest
    nextAt = performance.now() + everyMs
    const run = work()
    latest = run
    run.catch(() => {
      if (latest === run) nextAt = performance.now() + afterFailureMs
    })
    return run
  }
}
