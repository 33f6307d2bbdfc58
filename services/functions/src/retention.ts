import type { BlobUse, Retention } from '@icosa/kernel'
import { uploadsInUse } from './source/store.ts'

/** How long the rows of each table are kept. */
export const retention: Retention = {
  functions: 'their tenants delete them',
  revisions: 'go when another one takes over, or with their function',
  uploads: 'sweepUploads: a day after they expire',
  operations: { column: 'created_at', keepDays: 30 },
  secrets: 'their tenants delete them',
  messages: 'go with their last delivery, a day after they were published at the latest',
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
