import { type AutoBackupSettings, type AutoPatchingSettings, days } from './machines/contract.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Window {
  /** The day of the week on which it begins; undefined: every day. */
  readonly day?: number | undefined
  readonly hour: number
  readonly lengthMs: number
}

/** When the window began in which we are now, in UTC; undefined if we are in none. It may reach into the next day. */
function begunAt({ day, hour, lengthMs }: Window, now: Date): Date | undefined {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  for (const start of [midnight, midnight - dayMs].map((one) => one + hour * hourMs)) {
    const isDay = day === undefined || new Date(start).getUTCDay() === day
    if (isDay && now.getTime() >= start && now.getTime() < start + lengthMs) return new Date(start)
  }
  return undefined
}

/** Without a day, on Sundays; without an hour, at two in the night; for an hour. */
export function patchingWindow(settings: AutoPatchingSettings, now: Date): Date | undefined {
  const { enable = false, dayOfWeek = 'Sunday', maintenanceWindowStartingHour: hour = 2 } = settings
  if (!enable) return undefined
  const { maintenanceWindowDuration: minutes = 60 } = settings
  return begunAt({ day: days.indexOf(dayOfWeek), hour, lengthMs: minutes * 60_000 }, now)
}

/** Every day, or on Sundays. If we are to choose, at midnight and as soon as there is a worker for it. */
export function backupWindow(settings: AutoBackupSettings, now: Date): Date | undefined {
  const { enable = false, backupScheduleType = 'Manual', fullBackupFrequency = 'Daily' } = settings
  if (!enable) return undefined
  if (backupScheduleType === 'Automated') return begunAt({ hour: 0, lengthMs: dayMs }, now)
  const { fullBackupStartTime: hour = 0, fullBackupWindowHours: hours = 2 } = settings
  return begunAt({ day: fullBackupFrequency === 'Weekly' ? 0 : undefined, hour, lengthMs: hours * hourMs }, now)
}
