import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  groups: 'their tenants delete them',
  members: 'deleted with their group',
  seen: 'deleted with their group',
  accounts: 'one per tenant',
  tag_sync_tasks: 'their tenants cancel them',
  grouping_statuses: { column: 'updated_at', keepDays: 60 },
}
