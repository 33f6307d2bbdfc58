import { named, Type } from '@icosa/contract'
import { Operation, paging } from '@icosa/dialects/google'
import { api, parent } from '../api/contract.ts'

export const operations = {
  getOperation: api.get(`${parent}/operations/{operation}`, {
    specified: '/v2/{name}',
    summary: 'Read a long-running operation.',
    replies: { 200: Operation },
  }),
  getOperationById: api.get('/v2/operations/{operation}', {
    summary: 'Read a long-running operation by its id alone.',
    replies: { 200: Operation },
    extension: true,
  }),
  listOperations: api.get(`${parent}/operations`, {
    specified: '/v2/{name}/operations',
    summary: 'List long-running operations, newest first.',
    query: Type.Object({
      ...paging(100),
      filter: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description: 'project:p,location:l,function:f for one function, or project:p,latest:true.',
        }),
      ),
    }),
    replies: {
      200: named('ListOperationsResponse', {
        operations: Type.Array(Operation),
        nextPageToken: Type.Optional(Type.String()),
      }),
    },
  }),
}
