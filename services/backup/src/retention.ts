import type { Retention } from '@icosa/kernel'

/** Ended jobs are shown for 30 days, as in the original; others have no completion time. */
const ended = { column: 'completed_at', keepDays: 30 }

export const retention: Retention = {
  vaults: 'their tenants delete them',
  recovery_points: 'their lifecycle or their tenants delete them',
  plans: 'their tenants delete them; deleted ones can still be read',
  plan_versions: 'one for every change of a plan',
  selections: 'their tenants delete them',
  accounts: 'one for each tenant',
  legal_holds: { column: 'retain_until', keepDays: 1 }, // set by the caller who cancels it
  restore_testing_plans: 'their tenants delete them',
  restore_testing_selections: 'their tenants delete them',
  frameworks: 'their tenants delete them',
  report_plans: 'their tenants delete them',
  report_jobs: ended,
  backup_jobs: ended,
  copy_jobs: ended,
  restore_jobs: ended,
}
