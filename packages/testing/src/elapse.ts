import { correctSystemClock, systemClock } from '@icosa/kernel'

const now = performance.now.bind(performance)
let elapsedMs = 0

/**
 * Advances the monotonic clock of this process, so that caches expire without waiting. Timers and the platform's clock
 * are not affected.
 */
export function elapse(ms: number): void {
  const systemMs = systemClock.now().getTime()
  elapsedMs += ms
  performance.now = () => now() + elapsedMs
  correctSystemClock(systemMs, performance.now(), performance.now())
}
