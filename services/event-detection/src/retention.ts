import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  journal: { column: 'at', keepDays: 30 },
  analyses: { column: 'created_at', keepDays: 1 },
  catalogs: 'one of a tenant',
  inputs: 'their tenants delete them',
  models: 'their tenants delete them',
  versions: 'go with their model',
  instances: 'go with their model, or when a detector is deleted',
  retired_generations: 'sweep: an hour after their last instance',
  mailbox: 'deleted when they are evaluated',
  logging_options: 'one of a tenant',
}
