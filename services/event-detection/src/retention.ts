import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  journal: { column: 'at', keepDays: 30 },
  analyses: { column: 'created_at', keepDays: 1 },
  catalogs: 'one per tenant',
  inputs: 'deleted by their tenants',
  models: 'deleted by their tenants',
  versions: 'deleted with their model',
  instances: 'deleted with their model, or individually',
  retired_generations: 'sweep: an hour after their last instance',
  mailbox: 'deleted when evaluated',
  logging_options: 'one per tenant',
}
