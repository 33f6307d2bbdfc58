import type { Logger } from 'pino'
import type { ReadingDb } from '../db/db.ts'
import { every } from '../sharing/every.ts'
import type { Metrics } from '../telemetry/telemetry.ts'
import { clockSkewMs, syncClock } from './system.ts'

export interface ClockWatch {
  /** Why this node must stop working: its machine's clock is too far from PostgreSQL's. */
  problem(): string | undefined
  stop(): void
}

export interface ClockWatchOptions {
  readonly database: ReadingDb
  readonly log: Logger
  readonly metrics: Metrics
  readonly maxSkewMs: number
}

export const defaultMaxSkewMs = 60_000
/** NTP keeps clocks within milliseconds. */
const reportedSkewMs = 1_000
const checkEveryMs = 1_000
const syncEveryMs = 30_000

/** Keeps the system clock in sync with PostgreSQL's, and reports the skew of the machine's clock. */
export async function watchClock({ database, log, metrics, maxSkewMs }: ClockWatchOptions): Promise<ClockWatch> {
  let syncedAt = 0
  let syncedSkewMs = 0
  let reported: State = 'right'

  async function sync(): Promise<void> {
    await syncClock(database)
    syncedAt = performance.now()
    syncedSkewMs = clockSkewMs()
  }

  function report(): void {
    const state = stateOf(clockSkewMs(), maxSkewMs)
    if (state === reported) return
    reported = state
    if (state === 'right') log.info("this machine's clock agrees with PostgreSQL's again")
    else if (state === 'skewed') log.warn(`${difference()}: run an NTP client on both machines`)
    else log.error(explanation(maxSkewMs))
  }

  /** Syncs immediately after a jump of the machine's clock or a pause of the machine. */
  async function check(): Promise<void> {
    const isJump = Math.abs(clockSkewMs() - syncedSkewMs) > reportedSkewMs
    if (isJump || performance.now() - syncedAt >= syncEveryMs) await sync()
    report()
  }

  await sync()
  report()
  metrics.gauge(
    'icosa_clock_skew_seconds',
    "How far the machine's clock is ahead of PostgreSQL's.",
    () => clockSkewMs() / 1_000,
  )
  return {
    problem: () => (stateOf(clockSkewMs(), maxSkewMs) === 'wrong' ? explanation(maxSkewMs) : undefined),
    stop: every(checkEveryMs, check, report), // without the database, the skew is still reported
  }
}

type State = 'right' | 'skewed' | 'wrong'

function stateOf(skewMs: number, maxSkewMs: number): State {
  const distanceMs = Math.abs(skewMs)
  return distanceMs > maxSkewMs ? 'wrong' : distanceMs > reportedSkewMs ? 'skewed' : 'right'
}

function difference(): string {
  const skewMs = clockSkewMs()
  return `this machine's clock is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's`
}

const explanation = (maxSkewMs: number) =>
  `${difference()}, more than the ${maxSkewMs / 1_000} s of ICOSA_CLOCK_SKEW_LIMIT: run an NTP client on both machines. ` +
  'Until they agree, this node takes no jobs and is not ready.'
