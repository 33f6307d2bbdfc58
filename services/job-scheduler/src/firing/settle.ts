import type { Db } from '@icosa/kernel'
import { retryPauseMs } from '../actions/retry.ts'
import { type Entry, record, type Status } from '../history/store.ts'
import type { Due } from './execution.ts'
import * as store from './execution-store.ts'

/** An attempt that was made or skipped. */
export interface Attempt {
  readonly of: store.Loaded
  readonly status: Status
  readonly message: string
  readonly startedAt: Date
  readonly endedAt: Date
  /** Retry-After of the receiver. */
  readonly retryAfterMs?: number | undefined
}

/** The next attempt, after a pause. */
export interface FollowUp {
  readonly due: Due
  readonly pauseMs: number
}

interface Settled {
  readonly attempt: Attempt
  readonly followUp: FollowUp | undefined
  /** Whether the main action was abandoned. */
  readonly faulted: boolean
}

/** Writes the results of attempts, once each even if they were made several times. Returns the next attempts. */
export async function settle(db: Db, attempts: readonly Attempt[]): Promise<FollowUp[]> {
  const current = await store.lock(
    db,
    attempts.map(({ of }) => keyOf(of)),
  )
  const settled = attempts.filter(({ of }) => current.has(of.id)).map(settleAttempt)
  await record(db, settled.map(entryOf))
  const followUps = settled.flatMap(({ followUp }) => followUp ?? [])
  await store.scheduleFollowing(
    db,
    followUps.map(({ due }) => due),
  )
  const failed = new Set(settled.filter(({ attempt }) => isFaulted(attempt)).map(({ attempt }) => attempt.of.id))
  const ended = settled.filter(({ followUp }) => followUp === undefined).map(({ attempt }) => keyOf(attempt.of))
  await store.end(db, ended, ({ id }) => failed.has(id))
  return followUps
}

const keyOf = ({ tenant, jobId, id, action, attempt }: Due): Due => ({ tenant, jobId, id, action, attempt })

/** An error action runs only if the main action was abandoned. */
const isFaulted = ({ of, status }: Attempt) => status === 'Failed' || of.action === 'ErrorAction'

function settleAttempt(attempt: Attempt): Settled {
  const { of, status, retryAfterMs = 0 } = attempt
  if (status !== 'Failed') return { attempt, followUp: undefined, faulted: false }
  const { action: main } = of.definition
  const executed = of.action === 'MainAction' ? main : main.errorAction
  const pauseMs = retryPauseMs(executed?.retryPolicy, of.attempt)
  if (pauseMs !== undefined)
    return {
      attempt,
      followUp: { due: { ...keyOf(of), attempt: of.attempt + 1 }, pauseMs: Math.max(pauseMs, retryAfterMs) },
      faulted: false,
    }
  if (of.action === 'ErrorAction') return { attempt, followUp: undefined, faulted: false }
  const errorAction: FollowUp = { due: { ...keyOf(of), action: 'ErrorAction', attempt: 0 }, pauseMs: 0 }
  return { attempt, followUp: main.errorAction && errorAction, faulted: true }
}

function entryOf({ attempt: { of, status, message, startedAt, endedAt }, faulted }: Settled): Entry {
  const { tenant, jobId, id: executionId, action, attempt, repeatCount, expectedAt } = of
  return {
    tenant,
    jobId,
    executionId,
    action,
    attempt,
    repeatCount,
    status,
    message,
    expectedAt,
    startedAt,
    endedAt,
    faulted,
  }
}
