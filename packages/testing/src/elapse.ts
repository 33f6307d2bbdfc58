import { correctSystemClock, systemClock } from '@icosa/kernel'

const now = performance.now.bind(performance)
let elapsedMs = 0

/**
 * Moves the monotonic clock of this process forward, so that caches expire without waiting. It never moves back, as no monotonic
 * clock does. Timers and the platform's clock stay as they are.
 */
export function elapse(ms: number): void {
  const systemMs = systemClock.now().getTime()
  elapsedMs += ms
  performance.now = () => now() + elapsedMs
  correctSystemClock(systemMs, performance.now(), performance.now())
}
