import { extensions, named } from '@icosa/contract'
import { QueryResult, statement } from '@icosa/statements/contract'
import { api } from '../databases/contract.ts'

const { post, inGroup } = api

/** Beyond the specification. */
export const queries = extensions({
  run: post(inGroup('/servers/{serverName}/databases/{databaseName}/query'), {
    summary:
      'Run one SQL statement as the role of the database, and read its result. It writes only if that is requested.',
    body: named('QueryRequest', statement),
    replies: { 200: QueryResult },
  }),
})
