import { api, page, queryOf } from '../data-plane/contract.ts'
import { many, selection } from '../key-values/contract.ts'

export const revisions = {
  list: api.get('/revisions', {
    ...many,
    summary: 'List all past and current states of key-values, the latest first.',
    query: queryOf({ ...selection, ...page }),
  }),
}
