import { api, ConditionHeaders } from '../data-plane/contract.ts'
import { KeyValue, one } from '../key-values/contract.ts'

export const locks = {
  put: api.put('/locks/{key}', {
    ...one,
    summary: 'Lock a key-value against changes.',
    headers: ConditionHeaders,
    replies: { 200: KeyValue },
  }),
  delete: api.delete('/locks/{key}', {
    ...one,
    summary: 'Unlock a key-value.',
    headers: ConditionHeaders,
    replies: { 200: KeyValue },
  }),
}
