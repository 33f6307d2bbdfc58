import { type Db, type ReadingDb, sql } from '../db/db.ts'
import { Failure } from '../errors.ts'
import { moveTimersBack } from '../jobs/timers.ts'
import type { Clock } from './clock.ts'
import { syncClock, systemClock } from './system.ts'

export const clockChannel = 'icosa_clock'

/** A clock that can be moved, the same on every node. For development and tests. */
export interface VirtualClock extends Clock {
  /** Reads the latest move. */
  refresh(): Promise<void>
}

interface Setting {
  readonly offsetMs: number
  readonly frozenAt: Date | null
}

export async function virtualClock(db: ReadingDb): Promise<VirtualClock> {
  await syncClock(db)
  let setting = await read(db)
  return {
    now: () => timeBy(setting),
    async refresh() {
      setting = await read(db)
    },
  }
}

const systemMs = () => systemClock.now().getTime()
const timeBy = ({ offsetMs, frozenAt }: Setting) => frozenAt ?? new Date(systemMs() + offsetMs)

async function read(db: ReadingDb): Promise<Setting> {
  const row = await db.one<{ offsetMs: string; frozenAt: Date | null }>(
    sql`select offset_ms as "offsetMs", frozen_at as "frozenAt" from icosa.clock`,
  )
  return { offsetMs: Number(row.offsetMs), frozenAt: row.frozenAt }
}

/** Whether the clock is stopped, as of this transaction. */
export const isClockFrozen = async (db: ReadingDb): Promise<boolean> => (await read(db)).frozenAt !== null

export interface ClockMove {
  readonly to?: Date | undefined
  /** Relative to its current time. */
  readonly byMs?: number | undefined
  /** Stops or resumes it; unchanged if omitted. */
  readonly frozen?: boolean | undefined
  /** Returns to the system time and resumes. */
  readonly reset?: boolean | undefined
}

/** Moves the clock of every node once the transaction commits. Returns the new time. */
export async function moveClock(db: Db, { to, byMs = 0, frozen, reset = false }: ClockMove): Promise<Date> {
  await db.run(sql`select 1 from icosa.clock for update`)
  await syncClock(db)
  const before = await read(db)
  const old = timeBy(before)
  const now = new Date((reset ? systemMs() : (to ?? old).getTime()) + byMs)
  const year = now.getUTCFullYear()
  if (!(year >= 1970 && year <= 9999)) throw new Failure('invalid', 'The clock can be set to the years 1970 to 9999.')
  const stands = !reset && (frozen ?? before.frozenAt !== null)
  await db.run(sql`
    update icosa.clock set offset_ms = ${now.getTime() - systemMs()}, frozen_at = ${stands ? now : null}`)
  const backMs = old.getTime() - now.getTime()
  if (backMs > 0) await moveTimersBack(db, backMs, now)
  await db.run(sql`select pg_notify(${clockChannel}, '')`)
  return now
}
