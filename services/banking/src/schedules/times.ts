import { readMoment } from '../shapes/moments.ts'

export interface Recurrence {
  readonly time_start: string
  readonly time_end?: string | null | undefined
  readonly recurrence_unit: string
  readonly recurrence_size?: number | undefined
}

const hourMs = 3_600_000
const steps: Readonly<Record<string, number>> = { HOURLY: hourMs, DAILY: 24 * hourMs, WEEKLY: 168 * hourMs }

/** The nth time, from 0; undefined after the end. In shorter months it is the last day. */
export function timeOf(schedule: Recurrence, nth: number): Date | undefined {
  const { recurrence_unit: unit, recurrence_size: size = 1, time_start, time_end } = schedule
  const start = readMoment(time_start)
  const end = typeof time_end === 'string' ? readMoment(time_end) : undefined
  if (!start || (unit === 'ONCE' && nth > 0)) return undefined
  const at = later(start, unit, size * nth)
  return end && at > end ? undefined : at
}

function later(start: Date, unit: string, times: number): Date {
  const step = steps[unit]
  if (step !== undefined) return new Date(start.getTime() + step * times)
  if (unit === 'ONCE') return start
  const months = (unit === 'YEARLY' ? 12 : 1) * times
  const at = new Date(start)
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return at
}
