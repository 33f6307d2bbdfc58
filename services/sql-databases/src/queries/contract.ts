import { extensions, named, Type } from '@icosa/contract'
import { api } from '../databases/contract.ts'

const { post, inGroup } = api
const optional = Type.Optional

/** Beyond the specification. */
export const queries = extensions({
  run: post(inGroup('/servers/{serverName}/databases/{databaseName}/query'), {
    summary:
      'Run one SQL statement as the role of the database, and read its result. It writes only if that is requested.',
    body: named('QueryRequest', {
      statement: Type.String({ minLength: 1, maxLength: 100_000 }),
      write: optional(Type.Boolean({ description: 'Whether it may change rows and schemas. Default: false.' })),
      explain: optional(Type.Boolean({ description: 'Returns the plan instead of running the statement.' })),
    }),
    replies: {
      200: named('QueryResult', {
        columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
        rows: Type.Array(Type.Array(Type.Nullable(Type.String())), {
          description: 'At most 1,000, and 1 MiB: values as PostgreSQL writes them.',
        }),
        affected: optional(Type.Integer({ description: 'Rows that the statement returned or changed.' })),
        isTruncated: Type.Boolean({ description: 'Whether there are more rows.' }),
        durationMs: Type.Number(),
        plan: optional(Type.String()),
      }),
    },
  }),
})
