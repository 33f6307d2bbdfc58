import { named, oneOf, type Static, Type } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import type { Call } from '../data-plane/call.ts'
import { parseFilter, parseLabelFilter, parseTagFilters } from '../data-plane/filters.ts'
import type { Selection } from '../key-values/store.ts'
import type { NewSnapshot, Row, SnapshotFilter } from './store.ts'

export const fields = [
  'name',
  'status',
  'filters',
  'composition_type',
  'created',
  'expires',
  'retention_period',
  'size',
  'items_count',
  'tags',
  'etag',
]

export function shown(row: Row) {
  return {
    etag: row.etag,
    name: row.name,
    status: row.status,
    filters: row.filters,
    composition_type: row.compositionType,
    created: row.createdAt.toISOString(),
    ...(row.expiresAt && { expires: row.expiresAt.toISOString() }),
    retention_period: row.retentionSeconds,
    size: Number(row.size),
    items_count: row.itemsCount,
    tags: row.tags,
  }
}

const text = Type.String({ maxLength: 10_000 })

export const SnapshotInput = named('SnapshotInput', {
  filters: Type.Array(
    Type.Object({
      key: text,
      label: Type.Optional(Type.Nullable(text)),
      tags: Type.Optional(Type.Nullable(Type.Array(text, { maxItems: 5 }))),
    }),
    { minItems: 1, maxItems: 3 },
  ),
  composition_type: Type.Optional(Type.Nullable(oneOf('key', 'key_label'))),
  retention_period: Type.Optional(Type.Nullable(Type.Integer({ minimum: 3600 }))),
  tags: Type.Optional(Type.Nullable(Type.Record(text))),
})
export interface SnapshotInput extends Static<typeof SnapshotInput> {}

export const SnapshotChange = named('SnapshotChange', { status: oneOf('ready', 'archived') })

const daySeconds = 86_400
/** How long an archived snapshot is kept: usually, and at most. */
const retention = {
  Free: { usual: 7 * daySeconds, most: 7 * daySeconds },
  Standard: { usual: 30 * daySeconds, most: 90 * daySeconds },
}

export function readName({ params }: Call): string {
  const { name = '' } = params
  if (name === '' || [...name].length > 256 || name.includes('\0') || !name.isWellFormed())
    invalid([{ at: 'path/name', message: 'has 1 to 256 characters' }])
  return name
}

export function readSnapshot({ store }: Call, name: string, input: SnapshotInput): NewSnapshot {
  const { usual, most } = retention[store.sku]
  const retentionSeconds = input.retention_period ?? usual
  if (retentionSeconds > most)
    invalid([{ at: 'body/retention_period', message: `is at most ${most} seconds in a ${store.sku} store` }])
  const compositionType = input.composition_type ?? 'key'
  for (const filter of input.filters) checkFilter(filter, compositionType)
  return { name, filters: input.filters, compositionType, tags: input.tags ?? {}, retentionSeconds }
}

/** Of every key one key-value: so each filter has one label. */
function checkFilter(filter: SnapshotFilter, compositionType: NewSnapshot['compositionType']): void {
  const { label } = selectionOf(filter)
  const isOne = label?.length === 1 && label[0]?.kind === 'is'
  if (compositionType === 'key' && !isOne)
    invalid([{ at: 'body/filters/label', message: 'names one label, or set composition_type to key_label' }])
}

/** A filter without a label means key-values that have none. */
export function selectionOf({ key, label, tags }: SnapshotFilter): Selection {
  return {
    key: parseFilter('filters/key', key),
    label: parseLabelFilter('filters/label', label ?? ''),
    tags: parseTagFilters(tags ?? []),
  }
}
