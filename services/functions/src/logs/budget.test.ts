import { expect, test } from 'vitest'
import { budget } from './budget.ts'

test('a function may print a burst of one megabyte, then 64 KiB per second', () => {
  let now = 0
  const { take, refused } = budget(() => now)
  let lines = 0
  while (take(1_000)) lines++
  expect(lines).toBe(Math.floor(2 ** 20 / 1_100))
  take(1_000)
  expect(refused()).toBe(2)
  expect(refused()).toBe(0)
  now = 1_000
  lines = 0
  while (take(1_000)) lines++
  expect(lines).toBeGreaterThanOrEqual(59)
  expect(lines).toBeLessThanOrEqual(60)
  now = 1e9
  lines = 0
  while (take(1_000)) lines++
  expect(lines).toBe(Math.floor(2 ** 20 / 1_100)) // the burst does not accumulate
})
