import { Failure } from '@icosa/kernel'
import type { SqlSettings } from '../settings.ts'

type RetentionSettings = Pick<SqlSettings, 'archiveUrl' | 'retentionDays'>

export const dayMs = 86_400_000

/** Objectives with a shorter retention, as in the original. */
export const shortObjectives: readonly string[] = ['Free', 'Basic']
export const maxShortDays = 7

/** For how many days databases are archived without a continuous backup; 0 without an archive. */
export const retentionDaysOf = ({ archiveUrl, retentionDays }: RetentionSettings) =>
  archiveUrl === undefined ? 0 : retentionDays

/** Whether every database can be restored, not only those with a continuous backup. */
export const isRetaining = (settings: RetentionSettings) => retentionDaysOf(settings) > 0

/** How long a database can be restored to any time. */
export const retentionMsOf = (objective: string, { retentionDays }: RetentionSettings) =>
  dayMs * (shortObjectives.includes(objective) ? Math.min(retentionDays, maxShortDays) : retentionDays)

/** Refuses restores that the operator has not enabled. */
export function checkRetaining(settings: RetentionSettings): void {
  if (isRetaining(settings)) return
  const setting =
    settings.archiveUrl === undefined
      ? 'ICOSA_SQL_ARCHIVE_URL to a role of the SQL host that may replicate'
      : 'ICOSA_SQL_RETENTION_DAYS to 1 or more'
  throw new Failure('unavailable', `Databases are not archived here: ask the operator to set ${setting}.`)
}
