import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs `work` for whoever asks, always from a start after the question: what was true when they asked, it sees. Runs
 * start at least `everyMs` apart; all who ask before the next start share it.
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
