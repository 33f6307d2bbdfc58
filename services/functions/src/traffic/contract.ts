import { extensions, named, Type } from '@icosa/contract'
import { api, oneFunction } from '../api/contract.ts'
import { FunctionResource } from '../functions/contract.ts'

const Revision = named('Revision', {
  id: Type.String(),
  number: Type.Integer(),
  createTime: Type.String({ format: 'date-time' }),
  isServing: Type.Boolean(),
  runtime: Type.String(),
  entryPoint: Type.String(),
})

/** Beyond the specification: the original moves traffic by another product. */
export const traffic = extensions({
  listRevisions: api.get(`${oneFunction}/revisions`, {
    summary: 'List the revisions of a function, newest first: the latest ten, and the serving one.',
    replies: { 200: named('ListRevisionsResponse', { revisions: Type.Array(Revision) }) },
  }),
  moveTraffic: api.post(`${oneFunction}:moveTraffic`, {
    summary: 'Move the traffic of a function to another of its revisions, within a second.',
    body: named('MoveTrafficRequest', {
      revision: Type.Optional(
        Type.String({ maxLength: 100, description: 'By default, the newest one that does not serve.' }),
      ),
    }),
    replies: { 200: FunctionResource },
  }),
})
