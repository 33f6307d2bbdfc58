import type { Outcome } from './outcome.ts'

/** Number of attempts, and the pause after each failure; failures count from 1. */
export interface RetryPlan {
  readonly attempts: number
  readonly pauseMs: Backoff
}

export type Backoff = (failures: number) => number

/** Each pause is `factor` times the previous one. */
export function exponentialBackoff(firstMs: number, factor: number, maxMs = 3_600_000): Backoff {
  return (failures) => Math.min(firstMs * factor ** (failures - 1), maxMs)
}

/** Returns the time of the next attempt, or undefined if there is none. */
export function nextAttemptAt(outcome: Outcome, failures: number, plan: RetryPlan, now: Date): Date | undefined {
  if (outcome.result !== 'failed' || failures >= plan.attempts) return undefined
  return new Date(now.getTime() + pauseAfter(outcome, plan.pauseMs(failures)))
}

/** Respects Retry-After. */
export const pauseAfter = ({ retryAfterMs = 0 }: Outcome, pauseMs: number) => Math.max(pauseMs, retryAfterMs)
