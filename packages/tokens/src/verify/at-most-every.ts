/**
 * Runs `work` at most once per `everyMs`. Calls in between share the result of the last run. After a failure, the next
 * run may start after `afterFailureMs`.
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
