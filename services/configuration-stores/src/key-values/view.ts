import type { KeyValue } from './contract.ts'
import type { Revision } from './store.ts'

/** Representation in the data plane. */
export function toKeyValue({ key, label, value, contentType, tags, locked, etag, changedAt }: Revision): KeyValue {
  return {
    etag,
    key,
    label: label === '' ? null : label,
    content_type: contentType,
    value,
    tags: { ...tags },
    locked,
    last_modified: changedAt.toISOString(),
  }
}
