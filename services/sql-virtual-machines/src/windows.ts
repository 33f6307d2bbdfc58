import { type AutoBackupSettings, type AutoPatchingSettings, days } from './machines/contract.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Window {
  /** The weekday on which it starts; undefined: every day. */
  readonly day?: number | undefined
  readonly hour: number
  readonly lengthMs: number
}

/** The start, in UTC, of the latest window that has started. */
function latestStart({ day, hour }: Window, now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const today = midnight + hour * hourMs
  const latest = today > now.getTime() ? today - dayMs : today
  const daysAgo = day === undefined ? 0 : (new Date(latest).getUTCDay() - day + 7) % 7
  return new Date(latest - daysAgo * dayMs)
}

/** The start of the currently open window, or undefined. It may extend into the next day. */
function openSince(window: Window, now: Date): Date | undefined {
  const start = latestStart(window, now)
  return now.getTime() < start.getTime() + window.lengthMs ? start : undefined
}

/** Defaults: Sundays at 2:00, for an hour. */
export function patchingWindow(settings: AutoPatchingSettings, now: Date): Date | undefined {
  const { enable = false, dayOfWeek = 'Sunday', maintenanceWindowStartingHour: hour = 2 } = settings
  if (!enable) return undefined
  const { maintenanceWindowDuration: minutes = 60 } = settings
  return openSince({ day: days.indexOf(dayOfWeek), hour, lengthMs: minutes * 60_000 }, now)
}

/**
 * The start of the open window, or of the latest one since the settings were changed: a missed window is caught up once. Daily, or
 * on Sundays. `Automated` is at midnight, or as soon as a worker is running.
 */
export function backupWindow(settings: AutoBackupSettings, setAt: Date, now: Date): Date | undefined {
  const { enable = false, backupScheduleType = 'Manual', fullBackupFrequency = 'Daily' } = settings
  if (!enable) return undefined
  if (backupScheduleType === 'Automated') return openSince({ hour: 0, lengthMs: dayMs }, now)
  const { fullBackupStartTime: hour = 0, fullBackupWindowHours: hours = 2 } = settings
  const window = { day: fullBackupFrequency === 'Weekly' ? 0 : undefined, hour, lengthMs: hours * hourMs }
  const latest = latestStart(window, now)
  return latest >= setAt ? latest : openSince(window, now)
}
