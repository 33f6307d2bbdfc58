import { named, Type } from '@icosa/contract'
import { api } from '../data-plane/contract.ts'

export const pin = {
  replace: api.post('/pin', {
    extension: true,
    summary: 'Replace the PIN of the module, even a locked one. The new PIN is shown once; the old one is refused.',
    replies: { 200: named('Pin', { pin: Type.String() }) },
  }),
}
