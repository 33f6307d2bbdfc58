import { named, operationsOf, Type } from '@icosa/contract'
import { keyedDialect } from '@icosa/dialects/keyed'

export const at = '/press/{edition}'
const { get } = operationsOf(keyedDialect('X-Press-Key'), { at })

export const press = {
  getProof: get('/proofs/{noteId}', {
    summary: 'Read a note as it would be printed.',
    replies: { 200: named('Proof', { edition: Type.String(), text: Type.String() }) },
  }),
}
