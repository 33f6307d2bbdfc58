import type { Outcome } from './outcome.ts'

/** How often a message is tried, and how long after each failure; failures count from 1. */
export interface RetryPlan {
  readonly attempts: number
  readonly pauseMs: Backoff
}

export type Backoff = (failures: number) => number

/** Each pause is so many times the one before it. */
export function exponentialBackoff(firstMs: number, factor: number, longestMs = 3_600_000): Backoff {
  return (failures) => Math.min(firstMs * factor ** (failures - 1), longestMs)
}

/** When the next attempt comes; undefined if none does. */
export function nextAttemptAt(outcome: Outcome, failures: number, plan: RetryPlan, now: Date): Date | undefined {
  if (outcome.result !== 'failed' || failures >= plan.attempts) return undefined
  return new Date(now.getTime() + pauseAfter(outcome, plan.pauseMs(failures)))
}

/** Not before the receiver wants it. */
export const pauseAfter = ({ retryAfterMs = 0 }: Outcome, pauseMs: number) => Math.max(pauseMs, retryAfterMs)
