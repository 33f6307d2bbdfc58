import { named, Type } from '@icosa/contract'
import { get, post } from '../dialect/contract.ts'
import { filterQuery } from '../search/filters/contract.ts'

const { Optional } = Type

const Export = named('Export', {
  id: Type.String(),
  owner: Type.String(),
  started: Type.String(),
  finished: Optional(Type.String()),
  progress: Optional(Type.Number()),
  step: Optional(Type.String()),
  downloadUrl: Optional(Type.String()),
})

export const exportsOf = {
  createExport: post('/export', {
    summary: 'Start an export of contributions to a zip file.',
    query: Type.Object({
      ...filterQuery,
      tagged: Optional(Type.Boolean({ description: 'Deprecated: format=tagged.' })),
      combined: Optional(Type.Boolean({ description: 'One text file with all contributions.' })),
      individual: Optional(Type.Boolean({ description: 'A text file for each contribution.' })),
      format: Optional(Type.Enum(['none', 'fullsize', 'tagged', 'original'])),
      json: Optional(Type.Boolean({ description: 'Each contribution as JSON.' })),
    }),
    replies: { 202: Export },
  }),
  summarizeExport: post('/export-summary', {
    summary: 'Estimate the size of an export.',
    query: Type.Object(filterQuery),
    reads: true,
    replies: {
      200: named('ExportSummary', {
        contributions: Type.Number(),
        media: Type.Number(),
        totalMediaSize: Type.Number(),
        estimatedSize: Optional(Type.String()),
      }),
    },
  }),
  getExport: get('/exports/{id}', {
    summary: 'Read the progress of an export.',
    replies: { 200: Export },
  }),
}
