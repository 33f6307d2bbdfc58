import { parseFilter, parseLabelFilter, parseTagFilters } from '../data-plane/lists/filters.ts'
import type { ListInput } from '../data-plane/lists/pages.ts'
import type { Selection } from './store.ts'

/** Parses the filters of a list. */
export function readSelection({ query: { key, label, tags = [] } }: ListInput): Selection {
  return {
    key: parseFilter('key', key || undefined),
    label: parseLabelFilter('label', label),
    tags: parseTagFilters(tags),
  }
}
