import { setTimeout as sleep } from 'node:timers/promises'

/** How long a session of ours may take before we look whether it waits for somebody. Most take less. */
const patienceMs = 1_000

/**
 * Watches over sessions of ours while they work. A caller can leave a transaction open that has changed its own role or
 * its own database; whoever wants to change the same then waits for it, until that caller's session is ended.
 */
export function watchForBlockers(
  endBlockers: (pids: readonly number[]) => Promise<void>,
): <T>(pid: number, work: () => Promise<T>) => Promise<T> {
  const working = new Set<number>()
  let watching = false

  async function watch(): Promise<void> {
    watching = true
    while (working.size > 0) {
      await sleep(patienceMs, undefined, { ref: false })
      // If it fails, those who wait give up by themselves, and the next look may succeed.
      if (working.size > 0) await endBlockers([...working]).catch(() => {})
    }
    watching = false
  }

  return async (pid, work) => {
    working.add(pid)
    if (!watching) void watch()
    try {
      return await work()
    } finally {
      working.delete(pid)
    }
  }
}
