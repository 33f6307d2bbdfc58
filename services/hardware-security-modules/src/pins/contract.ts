import { named, Type } from '@icosa/contract'
import { api } from '../data-plane/contract.ts'

export const pin = {
  replace: api.post('/pin', {
    extension: true,
    summary: 'Give the module a new PIN, which is shown once. The old one is refused from now on, a locked one too.',
    replies: { 200: named('Pin', { pin: Type.String() }) },
  }),
}
