import type { Retention } from '@icosa/kernel'

/** As at the original, jobs are shown for 30 days. Those that have not ended have no such time. */
const ended = { column: 'completed_at', keepDays: 30 }

export const retention: Retention = {
  vaults: 'their tenants delete them',
  recovery_points: 'their life cycle or their tenants delete them',
  backup_jobs: ended,
  restore_jobs: ended,
}
