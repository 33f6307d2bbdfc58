import { invalid } from '@icosa/kernel'
import type { OpenStore } from '../data-plane/authentication/directory.ts'
import { parseFilter, parseLabelFilter, parseTagFilters } from '../data-plane/lists/filters.ts'
import type { Selection } from '../key-values/store.ts'
import type { SnapshotInput } from './contract.ts'
import type { NewSnapshot, SnapshotFilter } from './store.ts'

const daySeconds = 86_400
/** Retention of archived snapshots, in seconds. */
const retention = {
  Free: { default: 7 * daySeconds, max: 7 * daySeconds },
  Standard: { default: 30 * daySeconds, max: 90 * daySeconds },
}

export function checkedName({ name }: { readonly name: string }): string {
  if (name === '' || [...name].length > 256 || name.includes('\0') || !name.isWellFormed())
    invalid([{ at: 'path/name', message: 'must have 1 to 256 characters' }])
  return name
}

export function readSnapshot({ sku }: OpenStore, name: string, input: SnapshotInput): NewSnapshot {
  const { default: defaultSeconds, max } = retention[sku]
  const retentionSeconds = input.retention_period ?? defaultSeconds
  if (retentionSeconds > max)
    invalid([{ at: 'body/retention_period', message: `must be at most ${max} seconds in a ${sku} store` }])
  const compositionType = input.composition_type ?? 'key'
  for (const filter of input.filters) checkFilter(filter, compositionType)
  return { name, filters: input.filters, compositionType, tags: input.tags ?? {}, retentionSeconds }
}

/** With one key-value per key, each filter must name exactly one label. */
function checkFilter(filter: SnapshotFilter, compositionType: NewSnapshot['compositionType']): void {
  const { label } = selectionOf(filter)
  const isExact = label?.length === 1 && label[0]?.kind === 'equals'
  if (compositionType === 'key' && !isExact)
    invalid([
      { at: 'body/filters/label', message: 'must name exactly one label, unless composition_type is key_label' },
    ])
}

/** A filter without a label matches key-values without one. */
export function selectionOf({ key, label, tags }: SnapshotFilter): Selection {
  return {
    key: parseFilter('filters/key', key),
    label: parseLabelFilter('filters/label', label ?? ''),
    tags: parseTagFilters(tags ?? []),
  }
}
