import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { elapse } from './elapse.ts'

test.each([500, 10_000])('%i ms elapse for caches but not for the platform clock', async (ms) => {
  const [monotonic, system] = [performance.now(), systemClock.now().getTime()]
  elapse(ms)
  expect(performance.now() - monotonic).toBeGreaterThanOrEqual(ms)
  expect(systemClock.now().getTime() - system).toBeLessThan(ms)
  await sleep(20)
  expect(systemClock.now().getTime(), 'the clock keeps running').toBeGreaterThan(system)
})
