import { type ReadingDb, sql } from '../db/db.ts'
import type { Clock } from './clock.ts'

/** PostgreSQL's time at the origin of `performance.now()`, which moves with no change of the machine's clock. */
let originMs: number | undefined
let latestMs = 0
/** A larger correction backwards is a step, such as after a failover to a server with another clock. */
const maxPauseMs = 1_000

/**
 * Real time by PostgreSQL's clock, on which all nodes agree: a machine whose own clock is wrong or jumps has the same time
 * as the others. It does not run backwards: after a small correction it pauses. Until `syncClock` has run in this process, it
 * is the machine's clock.
 */
export const systemClock: Clock = {
  now() {
    if (originMs === undefined) return new Date()
    latestMs = Math.max(latestMs, originMs + performance.now())
    return new Date(latestMs)
  },
}

/** By how much this machine's clock is ahead of PostgreSQL's. */
export const clockSkewMs = () => (originMs === undefined ? 0 : Date.now() - originMs - performance.now())

/** Asks PostgreSQL for the time and corrects the system clock by it. */
export async function syncClock(db: ReadingDb): Promise<Clock> {
  const askedAt = performance.now()
  const { serverMs } = await db.one<{ serverMs: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as "serverMs"`,
  )
  correct(serverMs, askedAt, performance.now())
  return systemClock
}

/**
 * The server read its clock at some moment of the round trip. The correction is the smallest that agrees with that, so a slow
 * round trip cannot make the time worse.
 */
export function correct(serverMs: number, askedAt: number, answeredAt: number): void {
  const known = originMs ?? Date.now() - performance.now()
  originMs = Math.min(Math.max(known, serverMs - answeredAt), serverMs - askedAt)
  if (known - originMs > maxPauseMs) latestMs = 0
}
