import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  groups: 'their tenants delete them',
  members: 'go with their group',
  seen: 'go with their group',
  accounts: 'one of a tenant',
  tag_sync_tasks: 'their tenants cancel them',
  grouping_statuses: { column: 'updated_at', keepDays: 60 },
}
