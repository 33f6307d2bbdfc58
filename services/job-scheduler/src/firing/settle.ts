import type { Db } from '@icosa/kernel'
import { retryPauseMs } from '../actions/retry.ts'
import { type Entry, record, type Status } from '../history/store.ts'
import type { Due } from './execution.ts'
import * as store from './execution-store.ts'

/** An attempt that was made, or was not to be made any more. */
export interface Attempt {
  readonly of: store.Loaded
  readonly status: Status
  readonly message: string
  readonly startedAt: Date
  readonly endedAt: Date
  /** The receiver asks not to be tried again before. */
  readonly retryAfterMs?: number | undefined
}

/** What follows an attempt: another one, after a pause or at once. */
export interface FollowUp {
  readonly due: Due
  readonly pauseMs: number
}

interface Settled {
  readonly attempt: Attempt
  readonly followUp: FollowUp | undefined
  /** The occurrence's own action was given up. */
  readonly faulted: boolean
}

/** Writes how attempts ended, once however often they were made, and answers what follows. */
export async function settle(db: Db, attempts: readonly Attempt[]): Promise<FollowUp[]> {
  const open = await store.hold(
    db,
    attempts.map(({ of }) => keyOf(of)),
  )
  const settled = attempts.filter(({ of }) => open.has(of.id)).map(settledBy)
  await record(db, settled.map(entryOf))
  const followUps = settled.flatMap(({ followUp }) => followUp ?? [])
  await store.scheduleFollowing(
    db,
    followUps.map(({ due }) => due),
  )
  const failed = new Set(settled.filter(({ attempt }) => endedBadly(attempt)).map(({ attempt }) => attempt.of.id))
  const ended = settled.filter(({ followUp }) => followUp === undefined).map(({ attempt }) => keyOf(attempt.of))
  await store.end(db, ended, ({ id }) => failed.has(id))
  return followUps
}

const keyOf = ({ tenant, jobId, id, action, attempt }: Due): Due => ({ tenant, jobId, id, action, attempt })

/** An error action comes only where the job's own action was given up. */
const endedBadly = ({ of, status }: Attempt) => status === 'Failed' || of.action === 'ErrorAction'

function settledBy(attempt: Attempt): Settled {
  const { of, status, retryAfterMs = 0 } = attempt
  if (status !== 'Failed') return { attempt, followUp: undefined, faulted: false }
  const { action: main } = of.definition
  const performed = of.action === 'MainAction' ? main : main.errorAction
  const pauseMs = retryPauseMs(performed?.retryPolicy, of.attempt)
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
