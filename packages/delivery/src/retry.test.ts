import { expect, test } from 'vitest'
import type { Outcome } from './outcome.ts'
import { exponentialBackoff, nextAttemptAt } from './retry.ts'

const now = new Date('2026-01-01T00:00:00Z')
const plan = { attempts: 4, pauseMs: exponentialBackoff(1_000, 4, 10_000) }
const failed: Outcome = { result: 'failed', message: 'no' }

const pause = (outcome: Outcome, failures: number) => {
  const at = nextAttemptAt(outcome, failures, plan, now)
  return at && at.getTime() - now.getTime()
}

test('pauses grow up to the maximum, and end with the last attempt', () => {
  expect([1, 2, 3, 4].map((failures) => pause(failed, failures))).toEqual([1_000, 4_000, 10_000, undefined])
})

test('Retry-After can lengthen a pause, but not shorten it', () => {
  expect(pause({ ...failed, retryAfterMs: 60_000 }, 1)).toBe(60_000)
  expect(pause({ ...failed, retryAfterMs: 10 }, 2)).toBe(4_000)
})

test('delivered and refused messages are not retried', () => {
  expect(pause({ result: 'delivered', message: 'yes' }, 1)).toBeUndefined()
  expect(pause({ result: 'refused', message: 'never' }, 1)).toBeUndefined()
})
