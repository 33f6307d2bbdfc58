import { invalid } from '@icosa/kernel'
import type { FilterQuery } from '../search/question.ts'

export type MediaFormat = 'none' | 'fullsize' | 'tagged' | 'original'

export interface ExportOptions {
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

export function exportOptionsOf(query: ExportQuery): ExportOptions {
  const { tagged = false, combined = false, individual = false, json = false, format: requested, ...filter } = query
  if (tagged && requested !== undefined && requested !== 'tagged')
    invalid([{ at: 'query/tagged', message: `contradicts format=${requested}; it is deprecated and can be omitted` }])
  const format = requested ?? (tagged ? 'tagged' : 'fullsize')
  if (format === 'none' && !combined && !individual && !json)
    invalid([{ at: 'query/format', message: 'leaves the export empty: request combined, individual or json' }])
  return { filter, format, combined, individual, json }
}
