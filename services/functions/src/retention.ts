import type { BlobUse, Retention } from '@icosa/kernel'
import { uploadsInUse } from './source/store.ts'

export const retention: Retention = {
  functions: 'deleted by their tenants',
  revisions: 'deleted when superseded, or with their function',
  uploads: 'sweepUploads: a day after they expire',
  operations: { column: 'created_at', keepDays: 30 },
  secrets: 'deleted by their tenants',
  service_accounts: 'deleted by their tenants',
  messages: 'deleted with their last delivery, at most a day after publishing',
  deliveries: { column: 'failed_at', keepDays: 14 },
  log_lines: { column: 'at', keepDays: 7 },
  instances: 'leases: deleted when they end or expire',
  instance_waits: 'leases: deleted when they end or expire',
  retired_revisions: { column: 'retired_at', keepDays: 7 },
}

export const blobs: BlobUse = {
  'uploads/': uploadsInUse,
  'sources/': 'sweepBlobs, after every deployment',
  'artifacts/': 'sweepBlobs, after every deployment',
}
