import { extensions, named, oneOf, Type } from '@icosa/contract'
import { api, page, pageOf } from '../data-plane/contract.ts'

const Use = named('Use', {
  at: Type.String({ format: 'date-time' }),
  key: Type.Optional(Type.String()),
  operation: Type.String(),
  algorithm: Type.Optional(Type.String()),
  caller: Type.String(),
  outcome: oneOf('done', 'refused', 'failed'),
  detail: Type.Optional(Type.String()),
})

export const uses = extensions({
  list: api.get('/uses', {
    summary: 'List the uses of the keys of a module, and refused attempts, the latest first.',
    query: Type.Object({ ...page, key: Type.Optional(Type.String({ maxLength: 64 })) }),
    replies: { 200: pageOf('UseList', Use) },
  }),
})
