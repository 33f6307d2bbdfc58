import { named, type Static, Type } from '@icosa/contract'

const optional = Type.Optional

/** One SQL statement of a person. */
export const statement = {
  statement: Type.String({ minLength: 1, maxLength: 100_000 }),
  write: optional(Type.Boolean({ description: 'Whether it may change rows and schemas. Default: false.' })),
  explain: optional(Type.Boolean({ description: 'Returns the plan instead of running the statement.' })),
}
const Statement = Type.Object(statement)
export type Statement = Static<typeof Statement>

export const QueryResult = named('QueryResult', {
  columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
  rows: Type.Array(Type.Array(Type.Nullable(Type.String())), {
    description: 'At most 1,000, and 1 MiB: values as PostgreSQL writes them.',
  }),
  affected: optional(Type.Integer({ description: 'Rows that the statement returned or changed.' })),
  isTruncated: Type.Boolean({ description: 'Whether there are more rows.' }),
  durationMs: Type.Number(),
  plan: optional(Type.String()),
})
export type QueryResult = Static<typeof QueryResult>

/** How `QueryResult` is shown. */
export const resultPanel = {
  as: 'query',
  columns: 'columns',
  rows: 'rows',
  plan: 'plan',
  isTruncated: 'isTruncated',
  affected: 'affected',
} as const
