import { type ReadingDb, sql } from '../db/db.ts'
import type { Clock } from './clock.ts'

/** PostgreSQL's time at the origin of `performance.now()`, which is monotonic. */
let originMs: number | undefined
let latestMs = 0
/** A larger backward correction is a step, such as after a failover to a server with another clock. */
const maxPauseMs = 1_000

/**
 * Real time by PostgreSQL's clock, the same on all nodes even if a machine's own clock is wrong or jumps. Monotonic:
 * after a small correction it pauses. Before the first `syncClock` of this process, it is the machine's clock.
 */
export const systemClock: Clock = {
  now() {
    if (originMs === undefined) return new Date()
    latestMs = Math.max(latestMs, originMs + performance.now())
    return new Date(latestMs)
  },
}

/** How far this machine's clock is ahead of PostgreSQL's. */
export const clockSkewMs = () => (originMs === undefined ? 0 : Date.now() - originMs - performance.now())

export async function syncClock(db: ReadingDb): Promise<Clock> {
  const askedAt = performance.now()
  const { serverMs } = await db.one<{ serverMs: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as "serverMs"`,
  )
  correct(serverMs, askedAt, performance.now())
  return systemClock
}

/**
 * The server read its clock at some point of the round trip. Applies the smallest correction consistent with that, so a
 * slow round trip cannot make the time worse.
 */
export function correct(serverMs: number, askedAt: number, answeredAt: number): void {
  const previousMs = originMs ?? Date.now() - performance.now()
  originMs = Math.min(Math.max(previousMs, serverMs - answeredAt), serverMs - askedAt)
  if (previousMs - originMs > maxPauseMs) latestMs = 0
}
