import { extensions, named, Type } from '@icosa/contract'
import { QueryResult, statement } from '@icosa/statements/contract'
import { api } from '../api/contract.ts'
import { machineAt } from '../machines/contract.ts'

/** Beyond the specification. */
export const queries = extensions({
  run: api.post(`${machineAt}/query`, {
    summary:
      'Run one SQL statement on a machine as its owner, and read the result. It writes only if that is requested.',
    body: named('QueryRequest', {
      ...statement,
      database: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Default: main.' })),
    }),
    replies: { 200: QueryResult },
  }),
})
