import { extension, named, Type } from '@icosa/contract'
import { get } from '../dialect/contract.ts'
import { Contribution } from '../shapes/contract.ts'
import { filterQuery } from './filters/contract.ts'

const { Optional } = Type

const RefinementOption = named('RefinementOption', {
  value: Type.String(),
  contributions: Type.Integer({ description: 'Number of results of the same request with this option as a filter.' }),
})

export const search = {
  listContributions: get('/contributions', {
    summary: 'List contributions, the newest first.',
    query: Type.Object({
      ...filterQuery,
      createdDay: Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
      createdMonth: Optional(Type.String({ pattern: '^\\d{4}-\\d\\d$' })),
      ids: Optional(Type.String({ maxLength: 10_000, description: 'Comma-separated.' })),
      format: Optional(Type.Enum(['json', 'rss'])),
      page: extension(
        Optional(
          Type.Integer({
            minimum: 1,
            maximum: 10_000,
            description: 'Also counts all results. For deep pages, `after` is faster.',
          }),
        ),
      ),
      pageSize: extension(Optional(Type.Integer({ minimum: 1, maximum: 200 }))),
      after: extension(
        Optional(Type.String({ maxLength: 500, description: 'Start of the next page, from the `Link` header.' })),
      ),
    }),
    replies: { 200: Type.Array(Contribution) },
    media: ['application/rss+xml'],
    replyHeaders: Type.Object({ link: Optional(Type.String()), 'x-total-count': Optional(Type.String()) }),
  }),
  listRefinements: get('/contribution-refinements', {
    summary: 'List the values that can refine the results of a filter.',
    query: Type.Object({
      ...filterQuery,
      refinements: Optional(Type.String({ maxLength: 500, description: 'Comma-separated names; all by default.' })),
      refinementSize: Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
      counts: extension(Optional(Type.Boolean())),
    }),
    replies: { 200: Type.Record(Type.Array(Type.Union(Type.String(), RefinementOption))) },
  }),
  listRefinementTypes: get('/contribution-refinement-types', {
    summary: 'List the names of refinements.',
    replies: { 200: Type.Array(Type.String()) },
  }),
}
