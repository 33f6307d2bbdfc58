import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../platform.ts'
import { holdLease, releaseLease, renewMs } from './lease.ts'
import { leaderName } from './queue.ts'
import { repeat } from './repeat.ts'
import { type Conditions, fireDue, markIdle } from './timers.ts'

export interface Leader {
  /** Call when a timer may have become the next one. */
  wakeTimers(): void
  /** Call when the leader has stopped: another worker may take over immediately. */
  takeOver(): void
  stop(): Promise<void>
}

export interface LeaderOptions {
  readonly conditions: Conditions
  /** Wakes this worker even if its own notifications are lost. */
  readonly wakeHere: (names: Iterable<string>) => void
  /** Duration of a job's lease. */
  readonly leaseMs: number | undefined
}

const maxPauseMs = 1_000
/** Less than a pause: one turn does everything that is due. */
const sweepMs = 900
/** After an outage, live workers may renew their leases first. */
const graceMs = 10_000
const markMs = 60_000
/** A turn takes milliseconds: one this long is waiting for a dead connection. */
const turnMs = 3_000
/** Keeps standbys from trying simultaneously. */
const jitterMs = 500

/**
 * Leader election: one worker fires timers and schedules, requeues jobs of dead workers, and wakes workers whose
 * notifications were lost. The others only check its lease. Two concurrent leaders are harmless: every step locks its
 * rows.
 */
export function startLeader(platform: Platform, { conditions, wakeHere, leaseMs }: LeaderOptions): Leader {
  const { database, queue, clock, log } = platform
  const holder = randomUUID()
  let isLeader = false
  let renewAt = 0
  let sweepAt = 0
  let markAt = 0

  async function lead(): Promise<number> {
    const now = performance.now()
    const { fired, untilNextMs = maxPauseMs } = await fireDue(database, queue, clock, conditions)
    queue.wake(fired)
    if (now >= sweepAt) {
      sweepAt = now + sweepMs
      const neglected = await queue.sweep(leaseMs)
      queue.wake(neglected)
      if (neglected.size > 0) wakeHere(neglected)
    }
    if (now >= markAt) {
      markAt = now + markMs
      await markIdle(database, clock)
    }
    return Math.min(untilNextMs, maxPauseMs)
  }

  async function turn(): Promise<number> {
    if (platform.clockProblem()) return maxPauseMs
    if (performance.now() >= renewAt) {
      const { isHeld, leftMs } = await holdLease(database, leaderName, holder)
      isLeader = isHeld
      if (!isHeld) return leftMs + Math.random() * jitterMs
      renewAt = performance.now() + renewMs
    }
    return lead()
  }

  async function turnInTime(): Promise<number> {
    const ended = new AbortController()
    try {
      const pauseMs = await Promise.race([turn(), sleep(turnMs, undefined, { signal: ended.signal })])
      if (pauseMs !== undefined) return pauseMs
      database.dropIdle()
      throw new Error(`PostgreSQL did not answer within ${turnMs / 1_000} s.`)
    } catch (error) {
      sweepAt = performance.now() + graceMs
      throw error
    } finally {
      ended.abort()
    }
  }

  const loop = repeat(turnInTime, log)

  return {
    wakeTimers: () => isLeader && loop.wake(),
    takeOver: loop.wake,
    async stop() {
      await loop.stop()
      const wasLeader = await releaseLease(database, leaderName, holder).catch(() => false)
      if (wasLeader) queue.wake([leaderName])
    },
  }
}
