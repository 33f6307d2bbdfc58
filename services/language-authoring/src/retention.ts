import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  apps: 'their tenants delete them',
  versions: 'go with their app',
  utterances: 'go with their version, which has 15,000 at most',
  slots: 'two for an app, and go with it',
  query_logs: { column: 'created_at', keepDays: 30 },
}
