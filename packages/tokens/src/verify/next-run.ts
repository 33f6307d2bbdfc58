import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs `work` for callers, always starting after the call, so that it sees everything from before. Runs start at least
 * `everyMs` apart; all callers before the next start share it.
 */
export function nextRun(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let startAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined

  async function run(): Promise<void> {
    await wait(Math.max(0, startAt - performance.now()))
    startAt = performance.now() + everyMs
    next = undefined
    await work()
  }

  return () => {
    next ??= run()
    return next
  }
}
