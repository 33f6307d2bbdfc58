import { invalid } from '@icosa/kernel'
import type { FilterQuery } from '../search/question.ts'

export type MediaFormat = 'none' | 'fullsize' | 'tagged' | 'original'

/** What somebody wants to have in a zip. */
export interface Wanted {
  readonly filter: FilterQuery
  readonly format: MediaFormat
  readonly combined: boolean
  readonly individual: boolean
  readonly json: boolean
}

export interface ExportQuery extends FilterQuery {
  readonly tagged?: boolean
  readonly combined?: boolean
  readonly individual?: boolean
  readonly format?: MediaFormat
  readonly json?: boolean
}

export function wantedBy(query: ExportQuery): Wanted {
  const { tagged = false, combined = false, individual = false, json = false, format: asked, ...filter } = query
  if (tagged && asked !== undefined && asked !== 'tagged')
    invalid([{ at: 'query/tagged', message: `contradicts format=${asked}; it is deprecated, and can be left out` }])
  const format = asked ?? (tagged ? 'tagged' : 'fullsize')
  if (format === 'none' && !combined && !individual && !json)
    invalid([{ at: 'query/format', message: 'leaves the export empty: ask for combined, individual or json' }])
  return { filter, format, combined, individual, json }
}
