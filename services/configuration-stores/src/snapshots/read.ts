import { invalid } from '@icosa/kernel'
import type { OpenStore } from '../data-plane/authentication/directory.ts'
import { parseFilter, parseLabelFilter, parseTagFilters } from '../data-plane/lists/filters.ts'
import type { Selection } from '../key-values/store.ts'
import type { SnapshotInput } from './contract.ts'
import type { NewSnapshot, SnapshotFilter } from './store.ts'

const daySeconds = 86_400
/** How long an archived snapshot is kept: usually, and at most. */
const retention = {
  Free: { usual: 7 * daySeconds, most: 7 * daySeconds },
  Standard: { usual: 30 * daySeconds, most: 90 * daySeconds },
}

export function checkedName({ name }: { readonly name: string }): string {
  if (name === '' || [...name].length > 256 || name.includes('\0') || !name.isWellFormed())
    invalid([{ at: 'path/name', message: 'must have 1 to 256 characters' }])
  return name
}

export function readSnapshot({ sku }: OpenStore, name: string, input: SnapshotInput): NewSnapshot {
  const { usual, most } = retention[sku]
  const retentionSeconds = input.retention_period ?? usual
  if (retentionSeconds > most)
    invalid([{ at: 'body/retention_period', message: `must be at most ${most} seconds in a ${sku} store` }])
  const compositionType = input.composition_type ?? 'key'
  for (const filter of input.filters) checkFilter(filter, compositionType)
  return { name, filters: input.filters, compositionType, tags: input.tags ?? {}, retentionSeconds }
}

/** Of every key one key-value: so each filter has one label. */
function checkFilter(filter: SnapshotFilter, compositionType: NewSnapshot['compositionType']): void {
  const { label } = selectionOf(filter)
  const isOne = label?.length === 1 && label[0]?.kind === 'is'
  if (compositionType === 'key' && !isOne)
    invalid([
      { at: 'body/filters/label', message: 'must name exactly one label, unless composition_type is key_label' },
    ])
}

/** A filter without a label means key-values that have none. */
export function selectionOf({ key, label, tags }: SnapshotFilter): Selection {
  return {
    key: parseFilter('filters/key', key),
    label: parseLabelFilter('filters/label', label ?? ''),
    tags: parseTagFilters(tags ?? []),
  }
}
