import { setTimeout as sleep } from 'node:timers/promises'

/** How long an administrative session may take before it is checked for blockers. Most take less. */
const patienceMs = 1_000

/**
 * Monitors administrative sessions while they work. A caller can leave a transaction open that has changed its own role or
 * database; a session that waits for the same would be blocked, so the caller's session is terminated.
 */
export function watchForBlockers(
  endBlockers: (pids: readonly number[]) => Promise<void>,
): <T>(pid: number, work: () => Promise<T>) => Promise<T> {
  const activePids = new Set<number>()
  let isWatching = false

  async function watch(): Promise<void> {
    isWatching = true
    while (activePids.size > 0) {
      await sleep(patienceMs, undefined, { ref: false })
      // If it fails, blocked sessions time out, and the next check may succeed.
      if (activePids.size > 0) await endBlockers([...activePids]).catch(() => {})
    }
    isWatching = false
  }

  return async (pid, work) => {
    activePids.add(pid)
    if (!isWatching) void watch()
    try {
      return await work()
    } finally {
      activePids.delete(pid)
    }
  }
}
