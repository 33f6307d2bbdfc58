import type { Snapshot } from './contract.ts'
import type { Row } from './store.ts'

export function toSnapshot(row: Row): Snapshot {
  return {
    etag: row.etag,
    name: row.name,
    status: row.status,
    filters: row.filters.map(({ tags, ...filter }) => ({
      ...filter,
      ...(tags !== undefined && { tags: tags && [...tags] }),
    })),
    composition_type: row.compositionType,
    created: row.createdAt.toISOString(),
    ...(row.expiresAt && { expires: row.expiresAt.toISOString() }),
    retention_period: row.retentionSeconds,
    size: Number(row.size),
    items_count: row.itemsCount,
    tags: { ...row.tags },
  }
}
