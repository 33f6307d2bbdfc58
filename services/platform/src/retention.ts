import type { Retention } from '@icosa/kernel'

/** A year and a month: who looks back at a year finds all of it. */
export const auditDays = 400

export const retention: Retention = {
  audit: { column: 'at', keepDays: auditDays },
  audit_heads: 'one for each tenant, deleted ones included',
  blob_bytes: 'one for each tenant and service with a limit',
  blobs: 'go with the blobs that they count',
  limits: 'set by the operator',
  shared_folders: 'one for each folder that a setting names',
}
