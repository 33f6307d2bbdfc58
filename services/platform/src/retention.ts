import type { Retention } from '@icosa/kernel'

/** A year and a month, so that a full year is always available. */
export const auditDays = 400

export const retention: Retention = {
  audit: { column: 'at', keepDays: auditDays },
  audit_heads: 'one per tenant, including deleted ones',
  blob_bytes: 'one per tenant and service with a limit',
  blobs: 'deleted with their blobs',
  nodes: { column: 'seen_at', keepDays: 1 },
  limits: 'set by the operator',
  spans: { column: 'started_at', keepDays: 3 },
  shared_folders: 'one per folder setting',
}
